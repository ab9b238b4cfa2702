package library

import "testing"

// requirements.md E1: taking a lock with its TTL is one step, and only its
// owner releases it.
func TestLP525(t *testing.T) {
	ruleEdges(t, "LP525", []ruleEdge{
		{"", "go-redis", []string{"ttl=10s"}},
		{"", "go-redis", []string{"ttl=10s", "acquire=set-nx-px", "release=script"}},
		{"error", "go-redis", []string{"ttl=10s", "acquire=setnx-expire"}},
		{"error", "go-redis", []string{"ttl=10s", "release=del"}},
	})
}
