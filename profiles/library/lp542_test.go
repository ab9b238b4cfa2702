package library

import "testing"

// research/libs-redis.md SI3: 2 x 400 + 100 + 50 ms; with PUB_SUB_LOCK
// 3 x 400 + 2 x 50 ms.
func TestLP542(t *testing.T) {
	at := func(kind, wait, deadline string) []string {
		return []string{"redisLockType=" + kind, "waitTime=" + wait, "spring.data.redis.timeout=50ms", "--deadline=" + deadline, "--work=0s", "--reply=0s"}
	}
	ruleEdges(t, "LP542", []ruleEdge{
		{"", "spring-integration", at("SPIN_LOCK", "400", "950ms")},
		{"warning", "spring-integration", at("SPIN_LOCK", "400", "949ms")},
		{"", "spring-integration", at("PUB_SUB_LOCK", "400", "1300ms")},
		{"warning", "spring-integration", at("PUB_SUB_LOCK", "400", "1299ms")},
		{"", "spring-integration", []string{"waitTime=400"}}, // no deadline
	})
}
