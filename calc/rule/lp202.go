package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/spell"
)

// LP202 is thin-data. It is raised where an observation becomes an input.
var LP202 = Rule{
	ID: "LP202", Name: "thin-data", Severity: finding.Error,
	Condition: "n < ln(1 - c) / ln(q): fewer samples than the confidence bound of the percentile needs",
	Why: "With too few samples even the slowest one seen may well lie below the true percentile, so a lease " +
		"planned on it is lost more often than the plan says. A warning where the longest value seen stands in, " +
		"as for round trips, or with --allow-thin-data.",
	Fix: "observe for longer, plan a lower percentile, or accept the risk with --allow-thin-data",
	Example: Example{
		Args:  []string{"ttl", "--hold", "hold.prom", "--since-start", "--pause", "1.5s", "--mode", "fixed"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"0.1\"} 990\nhold_seconds_bucket{le=\"0.12\"} 1000\nhold_seconds_bucket{le=\"+Inf\"} 1000\nhold_seconds_sum 9\nhold_seconds_count 1000\n"},
	},
}

// Thin is LP202 for what ("P99.9 of hold_seconds"): have samples where a
// one-sided bound at confidence takes need. Severity is the raiser's: an
// error where a plan would rest on it.
func Thin(p Place, what string, have, need uint64, confidence float64, severity finding.Severity) finding.Finding {
	f := LP202.at(p, fmt.Sprintf("%s takes %s samples at %s %% confidence: %s of them are missing",
		what, spell.Grouped(need), spell.Percent(confidence), spell.Grouped(need-min(have, need))),
		"observe for longer, plan a lower --percentile, or --allow-thin-data")
	f.Severity = severity
	return f
}
