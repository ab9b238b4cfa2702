package library

import "testing"

// Measured by TestRealGoRedisEdges and TestRealRueidislockEdges: what Go
// options of 0, and rueidislock's below it, become.
func TestLP528(t *testing.T) {
	ruleEdges(t, "LP528", []ruleEdge{
		{"", "go-redis", []string{"ttl=10s"}},
		{"warning", "go-redis", []string{"ttl=10s", "MaxRetries=0"}},
		{"", "go-redis", []string{"ttl=10s", "MaxRetries=-1"}},
		{"", "go-redis", []string{"ttl=10s", "MaxRetries=1"}},
		{"warning", "go-redis", []string{"ttl=10s", "ReadTimeout=0s"}},
		{"warning", "redislock", []string{"ttl=10s", "DialTimeout=0s"}},
		{"warning", "redsync", []string{"PoolTimeout=0s"}},
		{"warning", "redsync", []string{"MaxRetryBackoff=0s"}},
		{"", "redsync", []string{"MaxRetryBackoff=1ns"}},
		{"warning", "rueidislock", []string{"KeyValidity=0s"}},
		{"warning", "rueidislock", []string{"KeyValidity=-1s"}},
		{"warning", "rueidislock", []string{"ExtendInterval=0s"}},
		{"warning", "rueidislock", []string{"TryNextAfter=-1s"}},
		{"warning", "rueidislock", []string{"KeyMajority=0"}},
		{"", "rueidislock", []string{"KeyMajority=1"}},
		{"", "rueidislock", nil},
	})
}
