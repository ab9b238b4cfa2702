package library

import "testing"

// research/libs-coordination.md 5.1: the record holds int(leaseDuration / 1s);
// 4.9 s was stored as 4, and 0 the API server refuses.
func TestLP642(t *testing.T) {
	ruleEdges(t, "LP642", []ruleEdge{
		{"", "client-go", nil},
		{"error", "client-go", []string{"leaseDuration=10900ms"}},
		{"warning", "client-go", []string{"leaseDuration=11900ms"}},
		{"", "client-go", []string{"leaseDuration=11s"}},
		{"error", "client-go", []string{"leaseDuration=999ms", "renewDeadline=800ms", "retryPeriod=100ms"}},
	})
}
