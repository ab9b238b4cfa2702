package rule

import (
	"strconv"

	"github.com/lockplan/lockplan/calc/finding"
)

// LP209 is mixed-layouts. It is raised where histograms are merged.
var LP209 = Rule{
	ID: "LP209", Name: "mixed-layouts", Severity: finding.Warning,
	Condition: "histograms with different bucket edges were merged",
	Why: "Each sample is known only to the bucket of its own instance, so the sum is only as fine as the coarsest " +
		"layout where it matters. Different edges also mean that different releases are in the sum.",
	Fix: "one layout on every instance, or --match to select those that share one",
	Example: Example{
		Args: []string{"observe", "hold.prom", "--since-start"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\n" +
			"hold_seconds_bucket{i=\"a\",le=\"0.1\"} 90\nhold_seconds_bucket{i=\"a\",le=\"0.12\"} 100\nhold_seconds_bucket{i=\"a\",le=\"+Inf\"} 100\nhold_seconds_sum{i=\"a\"} 9\nhold_seconds_count{i=\"a\"} 100\n" +
			"hold_seconds_bucket{i=\"b\",le=\"0.11\"} 90\nhold_seconds_bucket{i=\"b\",le=\"0.13\"} 100\nhold_seconds_bucket{i=\"b\",le=\"+Inf\"} 100\nhold_seconds_sum{i=\"b\"} 9\nhold_seconds_count{i=\"b\"} 100\n"},
	},
}

// MixedLayouts is LP209 for what ("hold_seconds"): series were merged that
// have layouts different sets of edges.
func MixedLayouts(p Place, what string, series, layouts int) finding.Finding {
	return LP209.at(p, strconv.Itoa(series)+" series of "+what+" with "+strconv.Itoa(layouts)+" different bucket layouts were merged: bounds are only as fine as the coarsest",
		"one bucket layout on every instance, or --match to select those that share one")
}
