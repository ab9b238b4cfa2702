package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP640 is client-go-order.
var LP640 = rule.Rule{
	ID: "LP640", Name: "client-go-order", Severity: finding.Error,
	Condition: "leaseDuration <= renewDeadline, or one of the three is not above 0",
	Why:       "NewLeaderElector refuses it and RunOrDie panics: the controller does not start.",
	Fix:       "a leaseDuration above renewDeadline",
	Example:   rule.Example{Args: []string{"check", "--library", "client-go", "--set", "leaseDuration=10s", "--set", "renewDeadline=10s", "--set", "retryPeriod=2s"}},
}

func lp640(run *Running) {
	for _, key := range []string{"leaseDuration", "renewDeadline", "retryPeriod"} {
		if run.Dur(key) <= 0 {
			run.say(LP640, key, key+" is not above 0: client-go does not start", key+" of at least 1s")
		}
	}
	lease, renew := run.Dur("leaseDuration"), run.Dur("renewDeadline")
	if lease <= renew {
		run.sayLimit(LP640, "leaseDuration", lease, renew,
			"leaseDuration "+f(lease)+" is not above renewDeadline "+f(renew)+": client-go does not start", "a leaseDuration above "+f(renew))
	}
}
