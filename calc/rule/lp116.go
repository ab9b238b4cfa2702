package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP116 is maximum-hold-too-short.
var LP116 = Rule{
	ID: "LP116", Name: "maximum-hold-too-short", Severity: finding.Error,
	Condition: "maximum hold < h; equality is F2's own S and sound",
	Why: "The cap is meant for tasks that hang. Below the planning percentile it also cuts off tasks that work, and " +
		"their next try will be as long.",
	Fix:     "a maximum hold of at least h, better 6 times the P99",
	Example: Example{Args: []string{"check", "--ttl", "30s", "--renew", "10s", "--p999", "60s", "--max-hold", "30s"}},
	Needs: []Need{NeedHold,
		{"a maximum hold (--max-hold)", func(c *Case) bool { return c.MaxHold.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		hold := c.In.Hold.Value
		if c.MaxHold.Value >= hold {
			return nil
		}
		return []finding.Finding{r.found(c.MaxHold, hold,
			"the maximum hold of "+dur.Format(c.MaxHold.Value)+" cuts off work of "+dur.Format(hold),
			"a maximum hold of at least "+dur.Format(up(hold)))}
	},
}
