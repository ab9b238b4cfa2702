package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP105 is no-renewer.
var LP105 = Rule{
	ID: "LP105", Name: "no-renewer", Severity: finding.Error,
	Condition: "T <= h and nothing renews; of T its worth T - skew (C4); --mode renewed and nothing renews, whatever the hold",
	Why: "The lease is shorter than the work and nobody extends it: every long hold loses the lock halfway. Renewal is " +
		"often thought to be on when a lease argument has switched it off, or this kind of lock never had it.",
	Fix:     "switch the renewal on, or a TTL of at least T_min",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--p999", "60s"}},
	Needs: []Need{
		{NeedLease.Text, func(c *Case) bool { return c.HasLease || c.unrenewed() }},
		{NeedHold.Text, func(c *Case) bool { return c.In.Hold.Finite() || c.unrenewed() }},
	},
	Check: func(r Rule, c *Case) []finding.Finding {
		why := c.NoRenewer
		if why == "" {
			why = "absent"
		}
		outlived := c.In.Hold.Finite() && c.worth().TTL <= c.In.Hold.Value
		switch {
		case c.Lease.Renews():
			return nil
		case !c.HasLease:
			return []finding.Finding{{ID: r.ID, Severity: r.Severity,
				Message: "a renewed lease is asked for (--mode renewed), and nothing renews (renewer: " + why + ")", Fix: "--mode fixed, or switch the renewal on"}}
		case !outlived && c.unrenewed():
			return []finding.Finding{r.found(c.TTL(), c.Lease.TTL,
				"a renewed lease is asked for (--mode renewed), and nothing renews that of "+dur.Format(c.Lease.TTL)+" (renewer: "+why+")",
				c.aThird("--mode fixed, or switch the renewal on, every "))}
		case !outlived:
			return nil
		}
		return []finding.Finding{r.found(c.TTL(), plus(c.In.Hold.Value, c.Setup.ClockSkew.Value),
			"a hold of "+dur.Format(c.In.Hold.Value)+" outlives the lease of "+c.ttlText()+", and nothing renews it (renewer: "+why+")",
			c.aThird("switch the renewal on, every "))}
	},
}

// unrenewed reports whether somebody asks for a renewed lease and runs one that
// nothing renews.
func (c *Case) unrenewed() bool {
	return !c.Planned && c.In.Mode == calc.Renewed && !c.Lease.Renews() && (c.HasLease || c.NoRenewer != "")
}
