package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP108 is renew-call-too-slow.
var LP108 = Rule{
	ID: "LP108", Name: "renew-call-too-slow", Severity: finding.Error,
	Condition: "Tr >= I, I + 2 Tr + b > T, or Tr < rtt (R2); of T its worth T - skew (C4)",
	Why: "One stuck call is still waiting for its answer when the next is due, or when the lease ends. The retry that " +
		"would have saved the lock is never sent. A call that gives up before its answer can be there confirms nothing.",
	Fix:     "a shorter call timeout, or fewer of the client's own retries in one renewal",
	Example: Example{Args: []string{"check", "--ttl", "30s", "--renew", "10s", "--renew-timeout", "11s"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		l := c.worth()
		if !l.Renews() {
			return nil
		}
		call := c.Setup.RenewTimeout
		call.Value = l.Call
		if rtt := c.In.RTT; rtt.Known && l.Call > 0 && l.Call < rtt.Value {
			return []finding.Finding{r.found(call, rtt.Value,
				"a renew call gives up after "+dur.Format(l.Call)+", a round trip takes "+dur.Format(rtt.Value)+": no renewal is ever confirmed",
				"a renew call of at least "+dur.Format(up(rtt.Value)))}
		}
		var message string
		switch two := plus(l.Interval, l.Call, l.Call, l.Backoff); {
		case l.Call >= l.Interval:
			message = "one renew call may take " + dur.Format(l.Call) + ", and the next is due after " + dur.Format(l.Interval)
		case two > l.TTL:
			message = "two renew calls of " + dur.Format(l.Call) + " end " + dur.Format(two) + " after the last good one, the lease at " + c.ttlText()
		default:
			return nil
		}
		limit := min(l.Interval/2, (l.TTL-l.Interval-l.Backoff)/2)
		fix := "a renew call, all its retries included, of at most " + dur.Format(down(limit))
		if limit <= 0 {
			limit, fix = l.Interval, c.aThird("now no call is short enough: first a renew interval of ")
		}
		return []finding.Finding{r.found(call, limit, message, fix)}
	},
}
