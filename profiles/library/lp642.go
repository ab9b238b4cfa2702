package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP642 is client-go-whole-seconds.
var LP642 = rule.Rule{
	ID: "LP642", Name: "client-go-whole-seconds", Severity: finding.Error,
	Condition: "leaseDuration is not whole seconds: warning; floor(leaseDuration) < 1s or <= renewDeadline: error",
	Why:       "The record holds whole seconds: 10.9s passes the validation and is stored as 10. Followers go by the record and take over earlier than the leader reckons.",
	Fix:       "whole seconds",
	Example:   rule.Example{Args: []string{"check", "--library", "client-go", "--set", "leaseDuration=10900ms", "--set", "renewDeadline=10s", "--set", "retryPeriod=2s"}},
}

func lp642(run *Running, granted time.Duration) {
	lease, renew := run.Dur("leaseDuration"), run.Dur("renewDeadline")
	if lease == granted {
		return
	}
	found := run.sayLimit(LP642, "leaseDuration", lease, granted,
		"leaseDuration "+f(lease)+" is stored as "+f(granted), "leaseDuration "+f(granted+time.Second))
	switch {
	case granted == 0:
		found.Message += ", which the API server refuses: nobody ever leads"
	case lease <= renew || granted > renew:
		found.Severity = finding.Warning
	default:
		found.Message += ", which is not above renewDeadline " + f(renew)
	}
}
