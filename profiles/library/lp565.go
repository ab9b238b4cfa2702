package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP565 is node-redlock-wait-eats-lease.
var LP565 = rule.Rule{
	ID: "LP565", Name: "node-redlock-wait-eats-lease", Severity: finding.Error,
	Condition: "(retryCount + 1) x commandTimeout + retryCount x (retryDelay + retryJitter) >= duration - threshold (using), >= duration (acquire); retryCount -1; without a commandTimeout a command counts a round trip",
	Why:       "The published 5.0.0-beta.2 counts the lease from the start of acquire, waiting included: a lock got late is already dead, and using() aborts at once. A retryCount of -1 waits for ever.",
	Fix:       "fewer or shorter retries, or a longer duration",
	Example:   rule.Example{Args: []string{"check", "--library", "node-redlock", "--set", "duration=1000", "--set", "automaticExtensionThreshold=300", "--set", "commandTimeout=50"}},
}

// lp565 holds every try of one acquire against what the lease has to spare.
func lp565(run *Running, ttl, threshold, acquire time.Duration, count int) {
	limit := ttl - threshold
	switch {
	case count < 0:
		run.say(LP565, "retryCount", "retryCount -1 waits for ever, and the lease of "+f(ttl)+" counts from the first try: a lock got late is already dead", "a retryCount whose tries take less than "+f(limit))
	case acquire >= limit:
		run.sayLimit(LP565, "retryCount", acquire, limit,
			"the tries of one acquire may take "+f(acquire)+" of a lease of "+f(ttl)+" that counts from the first try", "a wait budget below "+f(limit))
	}
}
