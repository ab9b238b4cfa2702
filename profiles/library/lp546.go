package library

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP546 is shedlock-unsafe-unlock.
var LP546 = rule.Rule{
	ID: "LP546", Name: "shedlock-unsafe-unlock", Severity: finding.Warning,
	Condition: "a Redis provider with safeUpdate false, or before 6.7: warning; and T <= h or T <= the longest hold stated: error; safeUpdate true before 6.7: error",
	Why: "Without safeUpdate the Redis provider unlocks by a bare DEL and extends without looking at the owner: " +
		"a node that overruns removes or overwrites the lock of the one that took over. The option exists from 6.7 on.",
	Fix:     "safeUpdate(true) on the provider's builder, from 6.7 on",
	Example: rule.Example{Args: []string{"check", "--library", "shedlock", "--set", "lockAtMostFor=5m", "--p999", "10m"}},
}

func lp546(run *Running, s shedlock) {
	if run.Word("lockProvider", "redis", "other") == "other" {
		run.instead("only the owner releases", "the provider of another store than Redis, which is not looked into")
		return
	}
	asked, fix := run.Bool("safeUpdate"), "safeUpdate(true)"
	if asked && !s.before(6, 7) {
		return
	}
	run.lacks("only the owner releases", "a bare DEL without safeUpdate")
	message := "safeUpdate is off"
	if s.before(6, 7) {
		message, fix = "ShedLock before 6.7 has no safeUpdate", "6.7 or later, with safeUpdate(true)"
	}
	found := run.say(LP546, "safeUpdate", message+": a node that overruns removes or extends the lock of the next one", fix)
	overruns := func(b calc.Bound) bool { return b.Finite() && run.Dur("lockAtMostFor") <= b.Value }
	if asked || overruns(run.In.Hold) || overruns(run.In.HoldAtLeast) || overruns(run.In.HoldMax) || overruns(run.MaxHold) {
		found.Severity = finding.Error
	}
}
