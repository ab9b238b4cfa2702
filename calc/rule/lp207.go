package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP207 is no-window. It is raised where an observation is read.
var LP207 = Rule{
	ID: "LP207", Name: "no-window", Severity: finding.Warning,
	Condition: "cumulative counts since the process started, taken as one window",
	Why: "The counts mix warm-up, old releases and quiet nights with the traffic that will hold the lock, and a slow " +
		"hour disappears among a month of fast ones.",
	Fix: "two snapshots, a range query, or --prometheus with --window; or --since-start to say that it is meant",
	Example: Example{
		Args:  []string{"observe", "hold.prom"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"0.1\"} 9990\nhold_seconds_bucket{le=\"0.12\"} 10000\nhold_seconds_bucket{le=\"+Inf\"} 10000\nhold_seconds_sum 900\nhold_seconds_count 10000\n"},
	},
}

// NoWindow is LP207 for what ("hold_seconds").
func NoWindow(p Place, what string) finding.Finding {
	return LP207.at(p, what+" counts since its process started: no window, whatever releases ran since",
		"a range query or two snapshots, or --since-start when that is meant")
}
