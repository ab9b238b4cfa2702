package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP641 is client-go-jitter.
var LP641 = rule.Rule{
	ID: "LP641", Name: "client-go-jitter", Severity: finding.Error,
	Condition: "renewDeadline <= 1.2 x retryPeriod",
	Why:       "Not even two tries fit into the deadline. NewLeaderElector refuses it, but validators in front of it often do not check it.",
	Fix:       "a renewDeadline of several retry periods",
	Example:   rule.Example{Args: []string{"check", "--library", "client-go", "--set", "leaseDuration=30s", "--set", "renewDeadline=11s", "--set", "retryPeriod=10s"}},
}

func lp641(run *Running) {
	renew, retry := run.Dur("renewDeadline"), run.Dur("retryPeriod")
	if least := retry * jitterTenths / 10; renew <= least && retry > 0 {
		run.sayLimit(LP641, "renewDeadline", renew, least,
			"renewDeadline "+f(renew)+" is not above 1.2 x retryPeriod = "+f(least)+": client-go does not start",
			"a retryPeriod of at most "+f(max(tidy(renew*10/jitterTenths-1), 1))+", better "+f(max(tidy(renew/3), 1)))
	}
}
