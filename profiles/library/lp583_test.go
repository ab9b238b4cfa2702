package library

import "testing"

// research/libs-coordination.md CUR-PCT and TestRealCurator: LOST at 33 percent
// of 4 s came at 4.09 s, at 25 before 4 s.
func TestLP583(t *testing.T) {
	at := func(percent, policy string) []string {
		return []string{"simulatedSessionExpirationPercent=" + percent, "connectionStateErrorPolicy=" + policy}
	}
	ruleEdges(t, "LP583", []ruleEdge{
		{"error", "curator", at("0", "standard")},
		{"", "curator", at("1", "standard")},
		{"", "curator", at("100", "standard")},
		{"error", "curator", at("101", "standard")},
		{"", "curator", at("25", "session")},
		{"warning", "curator", at("26", "session")},
		{"warning", "curator", at("33", "session")},
		{"error", "curator", at("34", "session")},
		{"error", "curator", []string{"connectionStateErrorPolicy=session"}}, // 100 by default
	})
}
