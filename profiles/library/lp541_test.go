package library

import "testing"

// TestRealSpring: a timeout of 0 is none; no call returned within 5 s.
func TestLP541(t *testing.T) {
	ruleEdges(t, "LP541", []ruleEdge{
		{"error", "spring-integration", []string{"spring.data.redis.timeout=0"}},
		{"error", "spring-integration", []string{"spring.data.redis.timeout=0ms"}},
		{"", "spring-integration", []string{"spring.data.redis.timeout=1ms"}},
		{"", "spring-integration", nil}, // 60 s
	})
}
