package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP120 is one-size-for-all. It is raised where several services, or a
// service and its profile, are seen together.
var LP120 = Rule{
	ID: "LP120", Name: "one-size-for-all", Severity: finding.Warning,
	Condition: "services whose holds differ by more than 10 x share one TTL, or a hold outside its profile's range",
	Why: "A 30-minute migration and a 20 ms stock deduction have nothing in common but the lock. One TTL for both blocks " +
		"the quick one for minutes after a crash, or loses the long one.",
	Fix: "a plan for each service, with a profile that fits its hold",
	Example: Example{
		Args: []string{"plan", "-f", "lockplan.yaml"},
		Files: map[string]string{"lockplan.yaml": "apiVersion: lockplan/v1\nservices:\n  migration:\n    profile: inventory\n" +
			"    p999: 30m\n    pause: 1.5s\n"},
	},
}

// OneSize is LP120 for two services under one TTL; ok is false where their
// holds are at most 10 times apart.
func OneSize(p Place, a string, holdA time.Duration, b string, holdB, ttl time.Duration) (f finding.Finding, ok bool) {
	low, high := min(holdA, holdB), max(holdA, holdB)
	if high <= times(10, low) {
		return f, false
	}
	f = LP120.at(p, a+" (hold "+dur.Format(holdA)+") and "+b+" (hold "+dur.Format(holdB)+") share a TTL of "+dur.Format(ttl), "a TTL of its own for each")
	f.Value, f.Limit = finding.Of(high), finding.Of(times(10, low))
	return f, true
}
