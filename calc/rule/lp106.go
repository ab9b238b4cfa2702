package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP106 is renewal-after-expiry.
var LP106 = Rule{
	ID: "LP106", Name: "renewal-after-expiry", Severity: finding.Error,
	Condition: "I >= T; of T its worth T - skew (C4)",
	Why: "The first renewal comes when the lease is already gone. The lock is lost on every hold longer than the TTL, as " +
		"if nothing renewed it at all.",
	Fix:     "renew every T/3",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--renew", "10s"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		worth := c.worth()
		if !worth.Renews() || worth.Interval < worth.TTL {
			return nil
		}
		return []finding.Finding{r.found(c.interval(), worth.TTL,
			"the first renewal comes after "+dur.Format(worth.Interval)+", the lease ends at "+c.ttlText(),
			c.aThird("a renew interval of "))}
	},
}
