package library

import "testing"

// research/libs-redis.md RU3: TryNextAfter, 20 ms by default, must exceed a
// round trip.
func TestLP526(t *testing.T) {
	const quiet = "NoLoopTracking=true"
	ruleEdges(t, "LP526", []ruleEdge{
		{"", "rueidislock", []string{quiet}},
		{"", "rueidislock", []string{quiet, "--rtt=19999us"}},
		{"error", "rueidislock", []string{quiet, "--rtt=20ms"}},
		{"error", "rueidislock", []string{quiet, "TryNextAfter=1ns"}}, // measured: refused
		{"error", "rueidislock", []string{quiet, "TryNextAfter=50us"}},
		{"", "rueidislock", []string{quiet, "TryNextAfter=51us"}},
	})
}
