package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP623 is consul-first-renewal.
var LP623 = rule.Rule{
	ID: "LP623", Name: "consul-first-renewal", Severity: finding.Error,
	Condition: "SessionTTL/2 >= 2 x SessionOpts.TTL",
	Why: "SessionOpts replaces SessionTTL in the session that the lock makes, but SessionTTL still times its first renewal, at a half of it; 15 s when it is not set. " +
		"Where the server ends the session before, at twice its TTL, every lock is lost once.",
	Fix:     "the same TTL in both",
	Example: rule.Example{Args: []string{"check", "--library", "consul", "--set", "SessionTTL=60s", "--set", "SessionOpts.TTL=10s"}},
}

// lp623 holds the first renewal against the session's end by the server.
func lp623(run *Running, first, ttl time.Duration) {
	if !run.Given("SessionOpts.TTL") || first/2 < saturate(ttl, ttl) {
		return
	}
	run.sayLimit(LP623, "SessionTTL", first/2, saturate(ttl, ttl),
		"the first renewal comes after SessionTTL/2 = "+f(first/2)+", the server ends the session of SessionOpts.TTL "+f(ttl)+" after "+f(saturate(ttl, ttl)), "SessionTTL "+f(ttl))
}
