package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP622 is consul-health-check-ends-lock.
var LP622 = rule.Rule{
	ID: "LP622", Name: "consul-health-check-ends-lock", Severity: finding.Warning,
	Condition: "the session hangs on a health check",
	Why: "A session that is created without a word about checks hangs on serfHealth: when gossip calls the node dead, the session ends at once, TTL or not. " +
		"What an outage may last is the lesser of the two, and a cut-off holder has only LockDelay until somebody else has the lock.",
	Fix:     "a session of CreateNoChecks (NodeChecks: []) when only the TTL is to decide",
	Example: rule.Example{Args: []string{"check", "--library", "consul", "--set", "SessionTTL=15s"}},
}

func lp622(run *Running, c consul) {
	if !run.Bool("healthChecks") {
		return
	}
	run.sayLimit(LP622, "healthChecks", c.lockDelay(), c.timer(run.Setup.TTL.Value),
		"the session also ends when its health check fails: others can own the lock "+f(c.lockDelay())+" later, the TTL alone keeps it for "+f(c.timer(run.Setup.TTL.Value)),
		"a session of CreateNoChecks (NodeChecks: []) when only the TTL is to decide")
}
