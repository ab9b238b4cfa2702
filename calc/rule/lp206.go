package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP206 is broken-histogram. It is raised where a histogram is read.
var LP206 = Rule{
	ID: "LP206", Name: "broken-histogram", Severity: finding.Error,
	Condition: "cumulative counts fall, no +Inf bucket, NaN or negative counts, one series twice, or a sum that no samples in these buckets have",
	Why: "Counts that contradict each other have no percentile. Any number made of them is a guess, and a guess in the " +
		"wrong direction shortens the lease.",
	Fix: "export the histogram again, whole and from one process at one time",
	Example: Example{
		Args:  []string{"observe", "hold.prom", "--since-start"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"0.1\"} 90\nhold_seconds_bucket{le=\"1\"} 80\nhold_seconds_bucket{le=\"+Inf\"} 100\nhold_seconds_sum 9\nhold_seconds_count 100\n"},
	},
}

// Broken is LP206 for what ("hold_seconds"): problem says what contradicts
// what, as `count falls from 90 at le="0.1" to 80 at le="1"`.
func Broken(p Place, what, problem string) finding.Finding {
	return LP206.at(p, "histogram "+what+" is broken: "+problem, "export it again, whole and from one process at one time")
}
