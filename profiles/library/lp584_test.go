package library

import "testing"

// research/libs-coordination.md CUR-CONN: Curator logs a connection timeout
// above the session; what counts is the session that is granted.
func TestLP584(t *testing.T) {
	ruleEdges(t, "LP584", []ruleEdge{
		{"", "curator", []string{"sessionTimeoutMs=15000", "connectionTimeoutMs=15000"}},
		{"warning", "curator", []string{"sessionTimeoutMs=15000", "connectionTimeoutMs=15001"}},
		{"warning", "curator", []string{"sessionTimeoutMs=60000", "tickTime=500", "connectionTimeoutMs=10001"}}, // 20 ticks
		{"", "curator", []string{"sessionTimeoutMs=60000", "tickTime=500", "connectionTimeoutMs=10000"}},
	})
}
