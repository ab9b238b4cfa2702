package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP501 is redisson-watchdog-stops.
var LP501 = rule.Rule{
	ID: "LP501", Name: "redisson-watchdog-stops", Severity: finding.Warning,
	Condition: "before 3.44, unless --failures 0 asks for no more; 3.44.0 to 3.45.0, and 3.45 without a patch, which may be 3.45.0: error",
	Why: "Before 3.44 the first renewal that fails is the last: the watchdog forgets the lock. " +
		"In 3.44.0 to 3.45.0 one exception can stop the shared timer, and every lock of the process runs out.",
	Fix:     "Redisson 3.46 or later",
	Example: rule.Example{Args: []string{"check", "--library", "redisson@3.43", "--set", "lockWatchdogTimeout=30000"}},
}

func lp501(run *Running, l redisson) {
	switch {
	case l.before(3, 44):
		if run.In.FailuresGiven && run.In.Failures == 0 {
			return
		}
		run.say(LP501, "lockWatchdogTimeout", "Redisson before 3.44 never renews again after one failed renewal", "Redisson 3.46 or later")
	case l.oldest().beforePatch(3, 45, 1):
		run.say(LP501, "lockWatchdogTimeout", "in Redisson 3.44.0 to 3.45.0 an exception can stop the watchdog of every lock", "Redisson 3.46 or later").Severity = finding.Error
	}
}
