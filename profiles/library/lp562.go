package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP562 is redis-py-one-try.
var LP562 = rule.Rule{
	ID: "LP562", Name: "redis-py-one-try", Severity: finding.Warning,
	Condition: "blocking_timeout < sleep",
	Why:       "The lock gives up before a sleep that would cross the limit: a wait shorter than one sleep is a single try.",
	Fix:       "a shorter sleep",
	Example:   rule.Example{Args: []string{"check", "--library", "redis-py", "--set", "timeout=10", "--set", "blocking_timeout=0.05"}},
}

func lp562(run *Running, wait time.Duration) {
	if sleep := run.Dur("sleep"); wait < sleep {
		run.sayLimit(LP562, "blocking_timeout", wait, sleep, "a wait of "+f(wait)+" is shorter than one sleep of "+f(sleep)+": a single try", "sleep "+Decimal.Down(wait/10))
	}
}
