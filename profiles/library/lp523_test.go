package library

import "testing"

// research/libs-redis.md RU1: 37 000 scripts a second where a held lock hears
// of its own renewals.
func TestLP523(t *testing.T) {
	ruleEdges(t, "LP523", []ruleEdge{
		{"error", "rueidislock", nil},
		{"error", "rueidislock", []string{"NoLoopTracking=false", "DisableCache=false"}},
		{"", "rueidislock", []string{"NoLoopTracking=true"}},
		{"", "rueidislock", []string{"DisableCache=true"}},
	})
}
