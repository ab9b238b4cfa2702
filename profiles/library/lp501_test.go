package library

import "testing"

// research/libs-redis.md RS4, redisson/redisson#6483: 3.44.0 to 3.45.0.
// TestRealRedissonWatchdog measures 3.43.0, 3.47.0 and 4.2.0.
func TestLP501(t *testing.T) {
	ruleEdges(t, "LP501", []ruleEdge{
		{"warning", "redisson@3.43", nil},
		{"warning", "redisson@3.43.0", nil},
		{"", "redisson@3.43", []string{"--failures=0"}},
		{"error", "redisson@3.44.0", nil},
		{"error", "redisson@3.45.0", []string{"--failures=0"}},
		{"error", "redisson@3.45", nil}, // it may be 3.45.0
		{"error", "redisson@3", nil},
		{"", "redisson@3.45.1", nil},
		{"", "redisson@3.46", nil},
		{"", "redisson@4", nil},
		{"", "redisson", nil},
		{"", "redisson@3.43", []string{"leaseTime=30000"}}, // no watchdog
		{"", "redisson@3.7", []string{"lockType=read"}},
	})
	for version, most := range map[string]int{"3.43": 0, "3": 0, "3.44": 1} {
		v := judged(t, "redisson@"+version, "timeout=300", "retryAttempts=1", "retryInterval=100", "--pause=1s", "--rtt=5ms")
		if got := *v.Consequences.Failures; got != most {
			t.Errorf("%s: %d failed renewals are survived, want %d", version, got, most)
		}
	}
}

// Of a lease of 3 s that is renewed at 1 s a pause of 5 s leaves nothing (C1):
// that an old watchdog never tries again makes it no better.
func TestAnOldWatchdogWithoutRoom(t *testing.T) {
	for _, version := range []string{"3.43", "3.47"} {
		v := judged(t, "redisson@"+version, "lockWatchdogTimeout=3000", "--pause=5s", "--failures=0")
		if got := *v.Consequences.Failures; got != -1 || severityOf(v, "LP109") != "error" {
			t.Errorf("%s: %d failed renewals are survived, LP109 is %q", version, got, severityOf(v, "LP109"))
		}
	}
}
