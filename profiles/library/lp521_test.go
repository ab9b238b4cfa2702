package library

import "testing"

// research/libs-redis.md RD1 and RD2: a try of expiry x timeoutFactor, 400 ms
// by default, is one only where go-redis honours a context.
func TestLP521(t *testing.T) {
	const honoured = "ContextTimeoutEnabled=true"
	ruleEdges(t, "LP521", []ruleEdge{
		{"warning", "redsync", nil},
		{"", "redsync", []string{honoured}},
		{"", "redsync", []string{honoured, "--rtt=399ms"}},
		{"error", "redsync", []string{honoured, "--rtt=400ms"}},
		{"error", "redsync", []string{honoured, "WithTries=0"}},
		{"error", "redsync", []string{honoured, "WithTries=-1"}},
		{"", "redsync", []string{honoured, "WithTries=1"}},
		{"error", "redsync", []string{honoured, "WithTimeoutFactor=0"}},
		{"", "redsync", []string{honoured, "WithTimeoutFactor=0.01", "--rtt=79ms"}},
		{"error", "redsync", []string{honoured, "WithTimeoutFactor=0.01", "--rtt=80ms"}},
	})
}
