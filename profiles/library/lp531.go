package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP531 is redsync-extend-takes-again.
var LP531 = rule.Rule{
	ID: "LP531", Name: "redsync-extend-takes-again", Severity: finding.Warning,
	Condition: "WithSetNXOnExtend",
	Why: "Extend then takes a lock that has run out as if it had never been free. In between somebody else may have had it and given it back: " +
		"the holder works on with what that one has changed, and is never told that it lost the lock.",
	Fix:     "without the option: an Extend that fails ends the work",
	Example: rule.Example{Args: []string{"check", "--library", "redsync", "--set", "WithSetNXOnExtend=true"}},
}

func lp531(run *Running) {
	if !run.Bool("WithSetNXOnExtend") {
		return
	}
	run.say(LP531, "WithSetNXOnExtend",
		"Extend takes a lock again that has run out: another may have had it in between, and the holder is not told", "without WithSetNXOnExtend")
}
