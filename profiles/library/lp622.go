package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP622 is consul-health-check-ends-lock.
var LP622 = rule.Rule{
	ID: "LP622", Name: "consul-health-check-ends-lock", Severity: finding.Info,
	Condition: "the session hangs on a health check",
	Why:       "A session that is created without checks of its own hangs on serfHealth: when gossip calls the node dead, the lock goes at once, TTL or not. What an outage may last is the lesser of the two.",
	Fix:       "NodeChecks: [] when only the TTL is to decide",
	Example:   rule.Example{Args: []string{"check", "--library", "consul", "--set", "SessionTTL=15s"}},
}

func lp622(run *Running) {
	if run.Bool("healthChecks") {
		run.say(LP622, "healthChecks", "the session also ends when its health check fails, which can be before the TTL", "no checks on the session when only the TTL is to decide")
	}
}
