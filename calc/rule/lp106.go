package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP106 is renewal-after-expiry.
var LP106 = Rule{
	ID: "LP106", Name: "renewal-after-expiry", Severity: finding.Error,
	Condition: "I >= T",
	Why: "The first renewal comes when the lease is already gone. The lock is lost on every hold longer than the TTL, as " +
		"if nothing renewed it at all.",
	Fix:     "renew every T/3",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--renew", "10s"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		if !c.Lease.Renews() || c.Lease.Interval < c.Lease.TTL {
			return nil
		}
		return []finding.Finding{r.found(c.interval(), c.Lease.TTL,
			"the first renewal comes after "+dur.Format(c.Lease.Interval)+", the lease ends at "+dur.Format(c.Lease.TTL),
			"a renew interval of "+dur.Format(down(c.Lease.TTL/3)))}
	},
}
