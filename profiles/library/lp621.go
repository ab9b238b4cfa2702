package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP621 is consul-lock-delay.
var LP621 = rule.Rule{
	ID: "LP621", Name: "consul-lock-delay", Severity: finding.Error,
	Condition: "LockDelay 0 through the Go API, or > 60 s; none (below 0, or 0 by HTTP): warning",
	Why: "The Go API leaves a zero out of the request and the server takes its 15 s; above 60 s the server cuts it. Either way the takeover is not the one that was planned. " +
		"Without a delay a late holder meets the new one.",
	Fix:     "LockDelay between 1ms and 60s",
	Example: rule.Example{Args: []string{"check", "--library", "consul", "--set", "LockDelay=0s"}},
}

func lp621(run *Running, delay calc.Bound) {
	switch {
	case delay.Value == 0 && run.Bool("http"):
		run.say(LP621, "LockDelay", "a LockDelay of 0 is none: a late holder meets the new one", "LockDelay 1ms, or as long as a late holder may work").Severity = finding.Warning
	case delay.Value == 0:
		run.say(LP621, "LockDelay", "a LockDelay of 0 cannot be sent by the Go API: the server takes 15s", "LockDelay 1ms")
	case delay.Value < 0:
		run.say(LP621, "LockDelay", "a LockDelay below 0 is none: a late holder meets the new one", "LockDelay 1ms, or as long as a late holder may work").Severity = finding.Warning
	case delay.Value > time.Minute:
		run.sayLimit(LP621, "LockDelay", delay.Value, time.Minute, "a LockDelay of "+f(delay.Value)+" is cut to 60s", "LockDelay of at most 60s")
	}
}
