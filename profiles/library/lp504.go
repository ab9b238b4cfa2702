package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP504 is redisson-watchdog-too-fine.
var LP504 = rule.Rule{
	ID: "LP504", Name: "redisson-watchdog-too-fine", Severity: finding.Error,
	Condition: "lockWatchdogTimeout < 1 s",
	Why:       "The renewals run on a timer wheel with ticks of up to 100 ms: a third of such a lease is a few ticks. Usually it is a unit slip, seconds where milliseconds are read.",
	Fix:       "lockWatchdogTimeout in ms, at least 1000",
	Example:   rule.Example{Args: []string{"check", "--library", "redisson@4.2", "--set", "lockWatchdogTimeout=30"}},
}

func lp504(run *Running, watchdog time.Duration) {
	if watchdog >= time.Second {
		return
	}
	run.sayLimit(LP504, "lockWatchdogTimeout", watchdog, time.Second,
		"a watchdog of "+f(watchdog)+" is finer than Redisson's timer (the unit is ms)", "lockWatchdogTimeout of at least 1000")
}
