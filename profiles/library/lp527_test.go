package library

import "testing"

// Measured by TestRealGoRedis: ReadTimeout -1 leaves the end to the context,
// -2 and others below 0 have none.
func TestLP527(t *testing.T) {
	const honoured = "ContextTimeoutEnabled=true"
	ruleEdges(t, "LP527", []ruleEdge{
		{"", "go-redis", []string{"ttl=10s"}},
		{"", "go-redis", []string{"ttl=10s", "ReadTimeout=1ms"}},
		{"error", "go-redis", []string{"ttl=10s", "ReadTimeout=-1"}},
		{"error", "go-redis", []string{"ttl=10s", "ReadTimeout=-1", "renewTimeout=1s"}},
		{"error", "go-redis", []string{"ttl=10s", "ReadTimeout=-1", honoured}},
		{"", "go-redis", []string{"ttl=10s", "ReadTimeout=-1", honoured, "renewTimeout=1s"}},
		{"error", "go-redis", []string{"ttl=10s", "ReadTimeout=-2", honoured, "renewTimeout=1s"}},
		{"error", "go-redis", []string{"ttl=10s", "ReadTimeout=-5s", honoured, "renewTimeout=1s"}},
		{"error", "redislock", []string{"ttl=10s", "ReadTimeout=-1"}},
		{"error", "redsync", []string{"ReadTimeout=-1"}},
	})
}
