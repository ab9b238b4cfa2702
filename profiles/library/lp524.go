package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP524 is rueidislock-one-chance.
var LP524 = rule.Rule{
	ID: "LP524", Name: "rueidislock-one-chance", Severity: finding.Info,
	Condition: "no stop-work point is configured; ExtendInterval >= KeyValidity: error",
	Why: "A renewal that fails is not tried again: the key is given up and, below the majority, the lock's context ends. " +
		"On a frozen server that comes up to ExtendInterval after the lease has run out, because the call's context lasts a whole lease from when it was sent.",
	Fix:     "a small ExtendInterval, and a stop-work point of your own",
	Example: rule.Example{Args: []string{"check", "--library", "rueidislock", "--set", "KeyValidity=5s", "--set", "NoLoopTracking=true"}},
}

func lp524(run *Running, validity, extend time.Duration) {
	if extend >= validity {
		run.sayLimit(LP524, "ExtendInterval", extend, validity,
			"the lease of "+f(validity)+" ends before the renewal after "+f(extend)+": the lock is lost every time", "ExtendInterval of a third of KeyValidity").Severity = finding.Error
		return
	}
	if run.Given("application.stopWork") {
		return
	}
	run.sayLimit(LP524, "ExtendInterval", validity+extend, validity,
		"one failed renewal gives the lock up; on a frozen server the holder hears of it up to "+f(validity+extend)+" after the last renewal, the lease ends at "+f(validity),
		"a stop-work point in the application")
}
