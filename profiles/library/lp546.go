package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP546 is shedlock-unsafe-unlock.
var LP546 = rule.Rule{
	ID: "LP546", Name: "shedlock-unsafe-unlock", Severity: finding.Warning,
	Condition: "safeUpdate false: warning; and T <= h: error",
	Why: "Without safeUpdate the Redis provider unlocks by a bare DEL and extends without looking at the owner: " +
		"a node that overruns removes or overwrites the lock of the one that took over.",
	Fix:     "safeUpdate(true) on the provider's builder, from 6.7 on",
	Example: rule.Example{Args: []string{"check", "--library", "shedlock", "--set", "lockAtMostFor=5m", "--p999", "10m"}},
}

func lp546(run *Running) {
	if run.Bool("safeUpdate") {
		return
	}
	run.lacks("only the owner releases", "a bare DEL without safeUpdate")
	found := run.say(LP546, "safeUpdate", "safeUpdate is off: a node that overruns removes or extends the lock of the next one", "safeUpdate(true)")
	if run.In.Hold.Finite() && run.Dur("lockAtMostFor") <= run.In.Hold.Value {
		found.Severity = finding.Error
	}
}
