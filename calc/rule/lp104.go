package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP104 is tail-out-of-control.
var LP104 = Rule{
	ID: "LP104", Name: "tail-out-of-control", Severity: finding.Warning,
	Condition: "a fixed lease, and the hold's tail is heavy or has no upper bound",
	Why: "With a tail like this no TTL is long enough: each doubling catches only a few more of the long holds, and " +
		"every crash costs the whole of it. A renewed lease does not depend on the hold.",
	Fix: "renew the lease: --mode renewed",
	Example: Example{
		Args:  []string{"check", "--ttl", "30s", "--hold", "hold.prom", "--since-start"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"1\"} 9900\nhold_seconds_bucket{le=\"+Inf\"} 10000\nhold_seconds_sum 900\nhold_seconds_count 10000\n"},
	},
	Check: func(r Rule, c *Case) []finding.Finding {
		fixed := c.HasLease && !c.Lease.Renews() || c.Planned && c.Solution.Mode == calc.Fixed
		if !fixed {
			return nil
		}
		switch {
		case c.In.Hold.Unbounded && !c.In.ThinHold:
			return []finding.Finding{r.says("a fixed lease on a hold without an upper bound", "--mode renewed")}
		case c.In.HoldTail == calc.TailHeavy:
			return []finding.Finding{r.says("a fixed lease on a hold with a heavy tail: the next longest hold may be many times the longest seen", "--mode renewed")}
		}
		return nil
	},
}
