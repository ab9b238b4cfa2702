package library

import "testing"

// research/libs-redis.md RU2 and section 7: measured, 500 ms of 500 ms loses the lock;
// on a frozen server the holder of 2 s and 1 s is told after 3 s.
func TestLP524(t *testing.T) {
	ruleEdges(t, "LP524", []ruleEdge{
		{"error", "rueidislock", []string{"KeyValidity=500ms", "ExtendInterval=500ms"}},
		{"error", "rueidislock", []string{"KeyValidity=500ms", "ExtendInterval=700ms"}},
		{"info", "rueidislock", []string{"KeyValidity=500ms", "ExtendInterval=499ms"}},
		{"info", "rueidislock", []string{"KeyValidity=2s", "ExtendInterval=1s"}},
		{"", "rueidislock", []string{"KeyValidity=2s", "ExtendInterval=1s", "application.stopWork=1s"}},
		{"error", "rueidislock", []string{"KeyValidity=2s", "ExtendInterval=2s", "application.stopWork=1s"}},
	})
}
