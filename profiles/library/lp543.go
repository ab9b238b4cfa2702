package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP543 is spring-integration-pubsub-late.
var LP543 = rule.Rule{
	ID: "LP543", Name: "spring-integration-pubsub-late", Severity: finding.Warning,
	Condition: "PUB_SUB_LOCK and RTO < 2 x expireAfter; RTO < expireAfter + waitTime where the wait is timed",
	Why: "An expiring key sends no message. A waiter of lock() looks again only when its slice of expireAfter has passed, one of tryLock " +
		"only at the end of its wait: who asked just before the lease ended is as late as that.",
	Fix:     "SPIN_LOCK, or a lease of half the RTO",
	Example: rule.Example{Args: []string{"check", "--library", "spring-integration", "--set", "redisLockType=PUB_SUB_LOCK", "--set", "expireAfter=10000", "--rto", "15s"}},
}

// pubSubDetect is W with PUB_SUB_LOCK: a slice of expireAfter, or the whole of
// a timed wait.
func pubSubDetect(run *Running, ttl time.Duration) {
	slice, why := ttl, "a slice of expireAfter and a try"
	if wait := run.Setup.Wait; wait.Known {
		slice, why = wait.Value, "the whole waitTime and a try"
		if wait.Value > ttl { // its last try comes after the lease has ended
			run.Skip = append(run.Skip, "LP304")
		}
	}
	run.Detect = run.polled(slice, 0, why)
	clean := saturate(run.In.Margin.Value, run.In.RTT.Value) // an unlock sends a message
	run.Own.Clean = &clean
	lp543(run, saturate(ttl, slice))
}

func lp543(run *Running, noticed time.Duration) {
	rto := run.In.RTO
	if !rto.Known || rto.Value >= noticed {
		return
	}
	fix := "SPIN_LOCK, or expireAfter " + Millis.Down(rto.Value/2)
	if run.Setup.Wait.Known {
		fix = "SPIN_LOCK, or expireAfter and a wait that together stay below " + f(rto.Value)
	}
	run.sayLimit(LP543, "redisLockType", noticed, rto.Value, "with PUB_SUB_LOCK a crash is noticed after up to "+f(noticed)+"; the RTO is "+f(rto.Value), fix)
}
