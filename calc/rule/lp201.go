package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/spell"
)

// LP201 is percentile-unbounded. It is raised where an observation becomes
// an input.
var LP201 = Rule{
	ID: "LP201", Name: "percentile-unbounded", Severity: finding.Error,
	Condition: "the rank of the planning percentile lies in the open last bucket",
	Why: "All that the histogram says is that the value is above its last edge. Other tools print that edge; " +
		"a lease planned on it is lost to every hold beyond it.",
	Fix: "add a bucket above the slowest hold, or plan renewals, whose TTL does not depend on the hold",
	Example: Example{
		Args:  []string{"ttl", "--hold", "hold.prom", "--pause", "1.5s", "--mode", "fixed", "--since-start"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"1\"} 9900\nhold_seconds_bucket{le=\"+Inf\"} 10000\nhold_seconds_sum 900\nhold_seconds_count 10000\n"},
	},
}

// Unbounded is LP201 for what ("P99.9 of hold_seconds"): above of total
// samples lie above edge, the last finite one, or in no bucket at all where it
// is 0. instead is what else gives a plan, "" where nothing else does.
func Unbounded(p Place, what string, edge time.Duration, above, total uint64, instead string) finding.Finding {
	if instead != "" {
		instead = ", or " + instead
	}
	if edge == 0 {
		return LP201.at(p, what+" has no upper bound: "+spell.Grouped(above)+" of "+spell.Grouped(total)+" samples are in no bucket that bounds them",
			"a histogram whose buckets hold all samples"+instead)
	}
	f := LP201.at(p, what+" has no upper bound: "+spell.Grouped(above)+" of "+spell.Grouped(total)+" samples lie above the last edge, "+dur.Format(edge),
		"a bucket above "+dur.Format(edge)+" that the slowest samples fall into"+instead)
	f.Limit = finding.Of(edge)
	return f
}
