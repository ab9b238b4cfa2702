package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP101 is ttl-below-minimum.
var LP101 = Rule{
	ID: "LP101", Name: "ttl-below-minimum", Severity: finding.Error,
	Condition: "fixed lease with T < T_min, or T <= h, whatever the hold T(1 - rho) <= P + M; of T its worth T - skew where another machine's clock judges (C4)",
	Why: "The lease ends while its owner still works: a second owner comes in and both write. " +
		"A lease of exactly the hold always ends first, because the hold starts only after the lease does.",
	Fix:     "raise the TTL to T_min, or renew the lease",
	Example: Example{Args: []string{"check", "--ttl", "8s", "--p999", "10s"}},
	Needs: []Need{NeedLease,
		{"the hold (--p999 or --hold)", func(c *Case) bool { return c.In.Hold.Finite() || !c.Lease.Renews() && c.coversNothing() }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		if c.Lease.Renews() {
			return nil
		}
		if !c.In.Hold.Finite() {
			least := c.atLeast(plus(c.In.Pause.Value, c.In.Margin.Value))
			return []finding.Finding{r.found(c.TTL(), least,
				fmt.Sprintf("a fixed lease of %s covers no hold at all: the pause of %s and the margin of %s use it up",
					c.ttlText(), dur.Format(c.In.Pause.Value), dur.Format(c.In.Margin.Value)),
				"a TTL longer than "+dur.Format(least)+" by the hold (--p999 or --hold), or a measured --rtt in place of the margin")}
		}
		least := calc.FixedMin(c.In)
		if c.worth().TTL >= least {
			return nil
		}
		write := plus(least, c.Setup.ClockSkew.Value)
		return []finding.Finding{r.found(c.TTL(), write,
			fmt.Sprintf("a fixed lease of %s is below T_min %s (hold %s + pause %s + margin %s%s)",
				c.ttlText(), dur.Format(least), dur.Format(c.In.Hold.Value), dur.Format(c.In.Pause.Value), dur.Format(c.In.Margin.Value), c.driftText()),
			"a TTL of at least "+dur.Format(up(write))+", or renewals")}
	},
}

// driftText is the term of F1 that is no duration, "" without a drift.
func (c *Case) driftText() string {
	if c.In.Drift == 0 {
		return ""
	}
	return ", through 1 - drift " + c.In.Drift.String()
}

// coversNothing reports whether the pause and the margin use the whole lease
// up: no work fits into it, however short.
func (c *Case) coversNothing() bool { return calc.StopWork(c.In, c.worth()) <= 0 }
