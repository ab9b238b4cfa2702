package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP205 is averaged-percentile. It is raised where observations are read or
// merged.
var LP205 = Rule{
	ID: "LP205", Name: "averaged-percentile", Severity: finding.Error,
	Condition: "percentiles of several instances were averaged, or stand where only samples could be merged",
	Why: "A percentile says nothing about any other group of samples. The average of ten P99.9 hides the one " +
		"instance whose holds outlive the lease, and that is the one that loses it.",
	Fix: "merge histograms or samples, or plan the slowest instance by itself",
	Example: Example{
		Args:  []string{"observe", "hold.prom", "--metric", "hold_seconds", "--since-start"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds summary\nhold_seconds{instance=\"a\",quantile=\"0.999\"} 0.1\nhold_seconds_sum{instance=\"a\"} 50\nhold_seconds_count{instance=\"a\"} 1000\nhold_seconds{instance=\"b\",quantile=\"0.999\"} 4\nhold_seconds_sum{instance=\"b\"} 80\nhold_seconds_count{instance=\"b\"} 1000\n"},
	},
}

// Averaged is LP205 for what ("hold_seconds"): how says what was done to the
// percentiles, as "avg() over 3 instances" or "2 summaries cannot be merged".
func Averaged(p Place, what, how string) finding.Finding {
	return LP205.at(p, "percentiles of "+what+" cannot be used: "+how,
		"export a histogram and sum its buckets, or select one instance (--match)")
}
