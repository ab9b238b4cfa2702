package library

import "testing"

// research/libs-coordination.md K8S-HTTP: max(1s, renewDeadline/2), which two
// calls of a renew deadline need; K12.
func TestLP644(t *testing.T) {
	ruleEdges(t, "LP644", []ruleEdge{
		{"", "client-go", nil},
		{"", "client-go", []string{"clientTimeout=5s"}},
		{"warning", "client-go", []string{"clientTimeout=5001ms"}},
		{"warning", "client-go", []string{"clientTimeout=9999ms"}},
		{"error", "client-go", []string{"clientTimeout=10s"}},
		{"error", "client-go", []string{"clientTimeout=120s"}},
		{"error", "client-go", []string{"clientTimeout=0s"}},
		{"", "client-go", []string{"leaseDuration=4s", "renewDeadline=1500ms", "retryPeriod=500ms", "clientTimeout=1s"}},
	})
}
