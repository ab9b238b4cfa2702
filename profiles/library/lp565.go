package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP565 is node-redlock-wait-eats-lease.
var LP565 = rule.Rule{
	ID: "LP565", Name: "node-redlock-wait-eats-lease", Severity: finding.Error,
	Condition: "retryCount x (retryDelay + retryJitter) >= duration - threshold (using), >= duration (acquire)",
	Why:       "The published 5.0.0-beta.2 counts the lease from the start of acquire, waiting included: a lock got late is already dead, and using() aborts at once.",
	Fix:       "fewer or shorter retries, or a longer duration",
	Example:   rule.Example{Args: []string{"check", "--library", "node-redlock", "--set", "duration=1000", "--set", "automaticExtensionThreshold=300", "--set", "commandTimeout=50"}},
}

func lp565(run *Running, ttl, threshold, wait time.Duration) {
	if wait < ttl-threshold {
		return
	}
	run.sayLimit(LP565, "retryCount", wait, ttl-threshold,
		"waiting may take "+f(wait)+" of a lease of "+f(ttl)+" that counts from the first try", "a wait budget below "+f(ttl-threshold))
}
