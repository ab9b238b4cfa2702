package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP620 is consul-ttl-range.
var LP620 = rule.Rule{
	ID: "LP620", Name: "consul-ttl-range", Severity: finding.Error,
	Condition: "SessionTTL < session_ttl_min (10 s) or > 24 h; above 1 h: warning",
	Why:       "The server refuses the session; 0 it takes for a session without a TTL, which a crash does not end. With twice the TTL and the lock delay on top, no recovery target below 25 s can be met at all.",
	Fix:       "a SessionTTL between 10s and 1h, or another lock service",
	Example:   rule.Example{Args: []string{"check", "--library", "consul", "--set", "SessionTTL=5s"}},
}

func lp620(run *Running, ttl time.Duration) {
	least := run.Dur("session_ttl_min")
	switch {
	case ttl == 0:
		end := "nothing ends it"
		if run.Bool("healthChecks") {
			end = "only a health check ends it"
		}
		run.sayLimit(LP620, "SessionTTL", ttl, least, "a session of 0 has no TTL: when its holder crashes "+end, "SessionTTL of at least "+f(least))
	case ttl > 24*time.Hour:
		run.sayLimit(LP620, "SessionTTL", ttl, 24*time.Hour, "Consul refuses a session of "+f(ttl)+": the range is "+f(least)+" to 24h", "SessionTTL of at most 1h")
	case ttl < least:
		run.sayLimit(LP620, "SessionTTL", ttl, least, "Consul refuses a session of "+f(ttl)+": the range is "+f(least)+" to 24h", "SessionTTL of at least "+f(least))
	case ttl > time.Hour:
		run.sayLimit(LP620, "SessionTTL", ttl, time.Hour, "a session of "+f(ttl)+" is freed up to "+f(2*ttl)+" after a crash", "SessionTTL of at most 1h").Severity = finding.Warning
	}
}
