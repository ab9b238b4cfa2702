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
	Condition: "fixed lease with T < T_min, or T <= h; of T its worth T - skew where another machine's clock judges (C4)",
	Why: "The lease ends while its owner still works: a second owner comes in and both write. " +
		"A lease of exactly the hold always ends first, because the hold starts only after the lease does.",
	Fix:     "raise the TTL to T_min, or renew the lease",
	Example: Example{Args: []string{"check", "--ttl", "8s", "--p999", "10s"}},
	Needs:   []Need{NeedLease, NeedHold},
	Check: func(r Rule, c *Case) []finding.Finding {
		if c.Lease.Renews() {
			return nil
		}
		least := calc.FixedMin(c.In)
		if c.worth().TTL >= least {
			return nil
		}
		write := plus(least, c.Setup.ClockSkew.Value)
		return []finding.Finding{r.found(c.TTL(), write,
			fmt.Sprintf("a fixed lease of %s is below T_min %s (hold %s + pause %s + margin %s)",
				c.ttlText(), dur.Format(least), dur.Format(c.In.Hold.Value), dur.Format(c.In.Pause.Value), dur.Format(c.In.Margin.Value)),
			"a TTL of at least "+dur.Format(write)+", or renewals")}
	},
}
