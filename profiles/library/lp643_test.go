package library

import "testing"

// research/libs-coordination.md 5.2: floor(LD) > retryPeriod + renewDeadline +
// stop + P; 15 > 12 by default, and K14: 14 + 1 + 5 is not below 20.
func TestLP643(t *testing.T) {
	ruleEdges(t, "LP643", []ruleEdge{
		{"", "client-go", nil},
		{"warning", "client-go", []string{"leaseDuration=12s"}},
		{"", "client-go", []string{"leaseDuration=13s"}},
		{"error", "client-go", []string{"--pause=3s"}},
		{"", "client-go", []string{"--pause=2999ms"}},
		{"error", "client-go", []string{"--stop-time=3s"}},
		{"", "client-go", []string{"--stop-time=2999ms"}},
		{"error", "client-go", []string{"leaseDuration=20s", "renewDeadline=14s", "retryPeriod=1s", "--stop-time=5s"}},
	})
}
