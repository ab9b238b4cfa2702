package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP403 is shutdown.
var LP403 = Rule{
	ID: "LP403", Name: "shutdown", Severity: finding.Error,
	Condition: "grace <= drain + release, where an unknown drain is h and an unknown release is M",
	Why: "The process is killed while it drains, with the lock in its hands. Each deployment then blocks the others for a " +
		"whole lease instead of one round trip.",
	Fix:     "a grace period above drain + release, and a release on exit",
	Example: Example{Args: []string{"check", "--ttl", "15s", "--p999", "30s", "--renew", "5s", "--grace", "10s"}},
	Needs: []Need{
		{"the grace period (--grace)", func(c *Case) bool { return c.Setup.Grace.Known }},
		{"the drain or the hold (--p999 or --hold)", func(c *Case) bool { return c.Setup.Drain.Known || c.In.Hold.Finite() }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		grace, drain := c.Setup.Grace, c.Setup.Drain.Or(c.In.Hold).Value
		release := c.In.Margin.Value
		if c.Setup.Unlock.Known {
			release = c.Setup.Unlock.Value
		}
		need := plus(drain, release)
		if grace.Value > need {
			return nil
		}
		return []finding.Finding{r.found(grace, need,
			"a grace period of "+dur.Format(grace.Value)+" ends before the drain of "+dur.Format(drain)+" and the release of "+dur.Format(release),
			"a grace period above "+dur.Format(up(need)))}
	},
}
