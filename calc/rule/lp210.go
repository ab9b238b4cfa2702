package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP210 is pauses-counted-twice.
var LP210 = Rule{
	ID: "LP210", Name: "pauses-counted-twice", Severity: finding.Info,
	Condition: "h observed in wall time, and P > 0 added to it",
	Why: "A hold measured in wall time already holds the pauses that happened in its window. The budget on top covers " +
		"one that did not happen there, which is the safe reading (B7).",
	Fix: "nothing, or --pause-included to plan T_min = (max(h, h_P50 + P) + M) / (1 - rho)",
	Example: Example{
		Args:  []string{"ttl", "--hold", "hold.prom", "--pause", "1.5s", "--since-start"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"0.1\"} 9990\nhold_seconds_bucket{le=\"0.12\"} 10000\nhold_seconds_bucket{le=\"+Inf\"} 10000\nhold_seconds_sum 900\nhold_seconds_count 10000\n"},
	},
	Check: func(r Rule, c *Case) []finding.Finding {
		in := c.In
		if in.Hold.Kind != calc.Observed || !in.Hold.Finite() || in.PauseIncluded || in.Pause.Value == 0 {
			return nil
		}
		f := r.says("the hold of "+dur.Format(in.Hold.Value)+" already holds the pauses of its window; the "+
			dur.Format(in.Pause.Value)+" on top covers one that did not happen in it",
			"--pause-included when the window is known to hold the worst pause")
		f.Value = finding.Of(in.Pause.Value)
		return []finding.Finding{f}
	},
}
