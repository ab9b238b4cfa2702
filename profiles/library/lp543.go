package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP543 is spring-integration-pubsub-late.
var LP543 = rule.Rule{
	ID: "LP543", Name: "spring-integration-pubsub-late", Severity: finding.Warning,
	Condition: "PUB_SUB_LOCK and RTO < 2 x expireAfter",
	Why:       "An expiring key sends no message. A waiter looks again only when its slice of expireAfter has passed, so a crash is noticed up to two leases later.",
	Fix:       "SPIN_LOCK, or a lease of half the RTO",
	Example:   rule.Example{Args: []string{"check", "--library", "spring-integration", "--set", "redisLockType=PUB_SUB_LOCK", "--set", "expireAfter=10000", "--rto", "15s"}},
}

func lp543(run *Running, ttl time.Duration) {
	rto := run.In.RTO
	if !rto.Known || rto.Value >= 2*ttl {
		return
	}
	run.sayLimit(LP543, "redisLockType", 2*ttl, rto.Value, "with PUB_SUB_LOCK a crash is noticed after up to "+f(2*ttl)+"; the RTO is "+f(rto.Value), "SPIN_LOCK, or expireAfter "+Millis.Down(rto.Value/2))
}
