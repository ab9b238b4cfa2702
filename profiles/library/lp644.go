package library

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP644 is client-go-call-timeout.
var LP644 = rule.Rule{
	ID: "LP644", Name: "client-go-call-timeout", Severity: finding.Warning,
	Condition: "clientTimeout > max(1s, renewDeadline/2): warning; >= renewDeadline, or 0, which is none: error",
	Why:       "One hung call to the API server uses up the whole renew deadline and leadership goes with it. Clients made by hand inherit no timeout.",
	Fix:       "rest.Config.Timeout = max(1s, renewDeadline/2)",
	Example:   rule.Example{Args: []string{"check", "--library", "client-go", "--set", "clientTimeout=120s"}},
}

func lp644(run *Running, call calc.Bound) {
	renew, half := run.Dur("renewDeadline"), max(1e9, run.Dur("renewDeadline")/2)
	if call.Kind == calc.Computed || call.Value <= half {
		return
	}
	found := run.sayLimit(LP644, "clientTimeout", call.Value, half,
		"one call may take "+f(call.Value)+" of a renewDeadline of "+f(renew)+": no second try", "clientTimeout "+f(half))
	if call.Value >= renew {
		found.Severity = finding.Error
	}
}
