package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/spell"
)

// LP211 is extrapolated.
var LP211 = Rule{
	ID: "LP211", Name: "extrapolated", Severity: finding.Warning,
	Condition: "the value lies beyond the samples and comes from a tail fit",
	Why: "A fit continues the shape of what was seen. The pause or the query that will break the lease may be of a kind " +
		"that was never seen at all.",
	Fix: "observe until the percentile has samples of its own",
	Example: Example{
		Args: []string{"ttl", "--hold", "hold.prom", "--since-start", "--pause", "1.5s", "--allow-thin-data"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\n" +
			"hold_seconds_bucket{le=\"0.02\"} 330\n" +
			"hold_seconds_bucket{le=\"0.04\"} 551\n" +
			"hold_seconds_bucket{le=\"0.06\"} 699\n" +
			"hold_seconds_bucket{le=\"0.08\"} 798\n" +
			"hold_seconds_bucket{le=\"0.10\"} 865\n" +
			"hold_seconds_bucket{le=\"0.12\"} 909\n" +
			"hold_seconds_bucket{le=\"0.14\"} 939\n" +
			"hold_seconds_bucket{le=\"0.16\"} 959\n" +
			"hold_seconds_bucket{le=\"0.18\"} 973\n" +
			"hold_seconds_bucket{le=\"0.20\"} 982\n" +
			"hold_seconds_bucket{le=\"0.22\"} 988\n" +
			"hold_seconds_bucket{le=\"0.24\"} 992\n" +
			"hold_seconds_bucket{le=\"0.26\"} 994\n" +
			"hold_seconds_bucket{le=\"0.28\"} 996\n" +
			"hold_seconds_bucket{le=\"0.30\"} 998\n" +
			"hold_seconds_bucket{le=\"0.32\"} 998\n" +
			"hold_seconds_bucket{le=\"0.34\"} 999\n" +
			"hold_seconds_bucket{le=\"0.36\"} 1000\n" +
			"hold_seconds_bucket{le=\"+Inf\"} 1000\nhold_seconds_sum 55\nhold_seconds_count 1000\n"},
	},
	Check: func(r Rule, c *Case) []finding.Finding {
		var found []finding.Finding
		for _, in := range []struct {
			what  string
			bound calc.Bound
		}{{"the hold", c.In.Hold}, {"the pause budget", c.In.Pause}, {"the round trip", c.In.RTT}} {
			if in.bound.Known && in.bound.Kind == calc.Extrapolated {
				f := r.at(Place{in.bound.File, in.bound.Line}, in.what+" of "+dur.Format(in.bound.Value)+" lies beyond the "+spell.Grouped(in.bound.Samples)+" samples: a tail fit's guess",
					"observe for longer, until the percentile has samples of its own")
				f.Value = finding.Of(in.bound.Value)
				found = append(found, f)
			}
		}
		return found
	},
}
