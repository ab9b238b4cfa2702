package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP115 is validity-used-up.
var LP115 = Rule{
	ID: "LP115", Name: "validity-used-up", Severity: finding.Error,
	Condition: "T(1 - rho) - time spent acquiring <= h (fixed) or <= I (renewed); of T its worth T - skew (C4)",
	Why: "The lease runs from the first request, not from the answer. After several tries, or a wait in a local buffer, " +
		"the lock that was just taken is nearly over, or over.",
	Fix:     "a shorter acquire, or a longer TTL",
	Example: Example{Args: []string{"check", "--ttl", "1s", "--acquire-spent", "700ms", "--p999", "300ms"}},
	Needs: []Need{NeedLease,
		{"the time spent acquiring (--acquire-spent)", func(c *Case) bool { return c.Setup.Spent.Known }},
		{"the hold (--p999 or --hold)", func(c *Case) bool {
			return c.Lease.Renews() || c.In.Hold.Finite() || c.Setup.Spent.Value >= c.worth().Worth(c.In.Drift)
		}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		spent, need, what := c.Setup.Spent, c.In.Hold.Value, "the hold"
		if c.Lease.Renews() {
			need, what = c.Lease.Interval, "the first renewal"
		}
		left := c.worth().Worth(c.In.Drift) - spent.Value
		needs := what + " takes " + dur.Format(need)
		if need == 0 { // without a hold only what leaves nothing is known to be wrong
			needs = "and any hold takes some"
		}
		if left > need {
			return nil
		}
		remains := dur.Format(left) + " are left"
		if left <= 0 {
			remains = "nothing is left"
		}
		fix := "a TTL above " + dur.Format(c.atLeast(plus(spent.Value, need)))
		if c.tied() {
			fix = c.longer(0, func(l calc.Lease) bool { return l.Worth(c.In.Drift)-spent.Value > l.Interval })
		}
		return []finding.Finding{r.found(spent, max(0, c.worth().Worth(c.In.Drift)-need),
			"acquiring may use up "+dur.Format(spent.Value)+" of the lease of "+c.ttlText()+": "+remains+", "+needs,
			fix+", or a shorter acquire")}
	},
}
