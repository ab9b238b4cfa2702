package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP105 is no-renewer.
var LP105 = Rule{
	ID: "LP105", Name: "no-renewer", Severity: finding.Error,
	Condition: "T <= h and nothing renews; of T its worth T - skew (C4)",
	Why: "The lease is shorter than the work and nobody extends it: every long hold loses the lock halfway. Renewal is " +
		"often thought to be on when a lease argument has switched it off, or this kind of lock never had it.",
	Fix:     "switch the renewal on, or a TTL of at least T_min",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--p999", "60s"}},
	Needs:   []Need{NeedLease, NeedHold},
	Check: func(r Rule, c *Case) []finding.Finding {
		if c.Lease.Renews() || c.worth().TTL > c.In.Hold.Value {
			return nil
		}
		why := c.NoRenewer
		if why == "" {
			why = "absent"
		}
		return []finding.Finding{r.found(c.TTL(), plus(c.In.Hold.Value, c.Setup.ClockSkew.Value),
			"a hold of "+dur.Format(c.In.Hold.Value)+" outlives the lease of "+c.ttlText()+", and nothing renews it (renewer: "+why+")",
			c.aThird("switch the renewal on, every "))}
	},
}
