package library

import "testing"

// research/libs-redis.md SI1: setRenewalTaskScheduler exists from 6.4 on.
func TestLP540(t *testing.T) {
	ruleEdges(t, "LP540", []ruleEdge{
		{"info", "spring-integration", []string{"expireAfter=60000"}}, // nothing says
		{"", "spring-integration", []string{"renewalTaskScheduler=false"}},
		{"", "spring-integration", []string{"renewalTaskScheduler=true"}},
		{"", "spring-integration@6.4", []string{"renewalTaskScheduler=true"}},
		{"error", "spring-integration@6.3", []string{"renewalTaskScheduler=true"}},
		{"", "spring-integration@6.3", []string{"renewalTaskScheduler=false"}},
	})
	// SI1: a hold beyond the lease that nothing renews.
	for _, row := range []ruleEdge{
		{"error", "spring-integration@6.3", []string{"renewalTaskScheduler=true", "expireAfter=10000", "--p999=20s"}},
		{"", "spring-integration@6.4", []string{"renewalTaskScheduler=true", "expireAfter=10000", "spring.data.redis.timeout=1s", "--p999=20s"}},
	} {
		if got := severityOf(judged(t, row.library, row.args...), "LP105"); got != row.want {
			t.Errorf("%s %v: LP105 is %q, want %q", row.library, row.args, got, row.want)
		}
	}
}

// research/libs-redis.md RS2 and SI1: a renewed lease that is asked for is an
// error where nothing renews, whatever the hold.
func TestLP105AskedOfALibrary(t *testing.T) {
	ruleEdges(t, "LP105", []ruleEdge{
		{"error", "redisson@4.2", []string{"leaseTime=10000", "--mode=renewed"}},
		{"", "redisson@4.2", []string{"leaseTime=10000"}},
		{"", "redisson@4.2", []string{"--mode=renewed"}},
		{"error", "spring-integration@6.5", []string{"expireAfter=60000", "renewalTaskScheduler=false", "--mode=renewed"}},
		{"", "spring-integration@6.5", []string{"expireAfter=60000", "renewalTaskScheduler=true", "--mode=renewed"}},
		{"error", "node-redlock", []string{"using=false", "--mode=renewed"}},
		{"", "node-redlock", []string{"using=true", "--mode=renewed"}},
	})
}
