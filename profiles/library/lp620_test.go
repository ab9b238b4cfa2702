package library

import "testing"

// research/libs-coordination.md CONSUL-TTL, measured with Consul 1.13.9:
// session_ttl_min to 24 h, each to the nanosecond; 0 has no TTL.
func TestLP620(t *testing.T) {
	ruleEdges(t, "LP620", []ruleEdge{
		{"", "consul", nil},
		{"error", "consul", []string{"SessionTTL=0s"}},
		{"error", "consul", []string{"SessionTTL=9.999999999s"}},
		{"", "consul", []string{"SessionTTL=10s"}},
		{"", "consul", []string{"SessionTTL=1h"}},
		{"warning", "consul", []string{"SessionTTL=1h0m1s"}},
		{"warning", "consul", []string{"SessionTTL=24h"}},
		{"error", "consul", []string{"SessionTTL=24h0m0.000000001s"}},
		{"", "consul", []string{"SessionTTL=5s", "session_ttl_min=5s"}},
		// The session is the one of SessionOpts, where they are given.
		{"error", "consul", []string{"SessionOpts.TTL=9s"}},
		{"", "consul", []string{"SessionTTL=5s", "SessionOpts.TTL=10s"}},
		{"error", "consul", []string{"SessionOpts.LockDelay=1s"}},
		{"error", "consul", []string{"http=true"}},
		{"", "consul", []string{"http=true", "SessionTTL=15s"}},
	})
}
