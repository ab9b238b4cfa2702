package library

import "testing"

// research/libs-redis.md BR1, and section 6: below a millisecond nothing is
// left of a lease; the facts of go-redis, redislock and redsync measure it.
func TestLP520(t *testing.T) {
	ruleEdges(t, "LP520", []ruleEdge{
		{"error", "redislock", []string{"ttl=999us"}},
		{"", "redislock", []string{"ttl=1ms"}},
		{"warning", "redislock", []string{"ttl=1500500us"}},
		{"error", "redislock", []string{"ttl=0s"}},
		{"error", "go-redis", []string{"ttl=0s"}},
		{"error", "go-redis", []string{"ttl=999us"}},
		{"", "go-redis", []string{"ttl=1ms"}},
		{"error", "redsync", []string{"WithExpiry=999us"}},
		{"", "redsync", []string{"WithExpiry=1ms"}},
		{"warning", "redsync", []string{"WithExpiry=1001us"}},
		{"error", "rueidislock", []string{"KeyValidity=999us"}},
		{"", "rueidislock", []string{"KeyValidity=1ms"}},
	})
}
