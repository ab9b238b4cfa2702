package library

import "testing"

// TestRealShedLockKeepAlive: 1 extension in 50 s when the first one threw.
func TestLP547(t *testing.T) {
	ruleEdges(t, "LP547", []ruleEdge{
		{"warning", "shedlock", []string{"lockAtMostFor=30s", "keepAlive=true"}},
		{"", "shedlock", []string{"lockAtMostFor=30s", "keepAlive=false"}},
		{"", "shedlock", []string{"lockAtMostFor=30s"}},
		{"", "shedlock", []string{"lockAtMostFor=29s", "keepAlive=true"}}, // LP545: it never runs
	})
	v := judged(t, "shedlock", "lockAtMostFor=30s", "keepAlive=true")
	if c := v.Consequences; *c.Failures != 0 || *c.Outage != 0 {
		t.Errorf("KeepAlive survives %d failures and an outage of %s", *c.Failures, *c.Outage)
	}
}
