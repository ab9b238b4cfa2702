package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP116 is maximum-hold-too-short.
var LP116 = Rule{
	ID: "LP116", Name: "maximum-hold-too-short", Severity: finding.Error,
	Condition: "maximum hold < h, or on a fixed lease the stop-work limit, which ends its holds; equality is F2's own S and sound",
	Why: "The cap is meant for tasks that hang. Below the planning percentile it also cuts off tasks that work, and " +
		"their next try will be as long.",
	Fix:     "a maximum hold of at least h, better 6 times the P99",
	Example: Example{Args: []string{"check", "--ttl", "30s", "--renew", "10s", "--p999", "60s", "--max-hold", "30s"}},
	Needs: []Need{NeedHold,
		{"a maximum hold (--max-hold)", func(c *Case) bool { return c.MaxHold.Known || c.stopEndsHold() }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		hold, most, what := c.In.Hold.Value, c.MaxHold, "maximum hold"
		if stop := c.Setup.StopWork; c.stopEndsHold() && (!most.Known || stop.Value < most.Value) {
			most, what = stop, "stop-work limit"
		}
		if most.Value >= hold {
			return nil
		}
		return []finding.Finding{r.found(most, hold,
			"the "+what+" of "+dur.Format(most.Value)+" cuts off work of "+dur.Format(hold),
			"a "+what+" of at least "+dur.Format(up(hold)))}
	},
}

// stopEndsHold reports whether the stop-work limit ends holds: that of a fixed
// lease does, where the hold does not contain the pauses (B7).
func (c *Case) stopEndsHold() bool {
	return c.Setup.StopWork.Known && c.HasLease && !c.Lease.Renews() && !c.In.PauseIncluded
}
