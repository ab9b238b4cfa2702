package library

import "testing"

// Measured by TestRealGoRedisEdges: a DialTimeout below 0 ends every dial with
// an i/o timeout, 0 is the default.
func TestLP529(t *testing.T) {
	ruleEdges(t, "LP529", []ruleEdge{
		{"error", "go-redis", []string{"ttl=10s", "DialTimeout=-1"}},
		{"error", "redislock", []string{"ttl=10s", "DialTimeout=-1s"}},
		{"error", "redsync", []string{"DialTimeout=-1ns"}},
		{"", "go-redis", []string{"ttl=10s", "DialTimeout=0s"}},
		{"", "go-redis", []string{"ttl=10s", "DialTimeout=1s"}},
		{"", "go-redis", []string{"ttl=10s"}},
	})
}
