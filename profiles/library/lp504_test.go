package library

import "testing"

// research/libs-redis.md 2.3: "treat W < ~1 s as unsupported";
// TestRealRedissonShort measures 60, 300 and 1000 ms.
func TestLP504(t *testing.T) {
	ruleEdges(t, "LP504", []ruleEdge{
		{"error", "redisson@4.2", []string{"lockWatchdogTimeout=30"}},
		{"error", "redisson@4.2", []string{"lockWatchdogTimeout=999"}},
		{"", "redisson@4.2", []string{"lockWatchdogTimeout=1000"}},
		{"", "redisson@4.2", []string{"lockWatchdogTimeout=30", "leaseTime=500"}}, // no watchdog
	})
}
