package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP203 is coarse-bucket. It is raised where an observation becomes an input.
var LP203 = Rule{
	ID: "LP203", Name: "coarse-bucket", Severity: finding.Warning,
	Condition: "(upper - lower edge) of the deciding bucket > upper edge / 4",
	Why: "The plan uses the upper edge, and the true value may be far below it: the lease is longer than it has to be, " +
		"and so is every takeover after a crash.",
	Fix: "finer buckets around the planning percentile, or a native histogram",
	Example: Example{
		Args:  []string{"ttl", "--hold", "hold.prom", "--since-start", "--pause", "1.5s"},
		Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"0.1\"} 9000\nhold_seconds_bucket{le=\"1\"} 10000\nhold_seconds_bucket{le=\"+Inf\"} 10000\nhold_seconds_sum 900\nhold_seconds_count 10000\n"},
	},
}

// Coarse is LP203 for what ("P99.9 of hold_seconds"), known to lie in (lower,
// upper]; ok is false where the bucket is fine enough.
func Coarse(p Place, what string, lower, upper time.Duration) (f finding.Finding, ok bool) {
	if upper-lower <= upper/4 {
		return f, false
	}
	f = LP203.at(p, what+" lies anywhere from "+dur.Format(lower)+" to "+dur.Format(upper)+"; the plan takes the upper edge",
		"bucket edges at most a quarter apart between "+dur.Format(lower)+" and "+dur.Format(upper))
	f.Value, f.Limit = finding.Of(upper-lower), finding.Of(upper/4)
	return f, true
}
