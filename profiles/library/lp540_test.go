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
