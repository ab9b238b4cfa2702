package library

import "testing"

// research/libs-redis.md NR2 and section 10: without a commandTimeout using()
// had not aborted after 12 s; with a retryCount of -1 a release never returns.
func TestLP564(t *testing.T) {
	ruleEdges(t, "LP564", []ruleEdge{
		{"error", "node-redlock", []string{"duration=10000"}},
		{"error", "node-redlock", []string{"duration=10000", "commandTimeout=0"}},
		{"", "node-redlock", []string{"duration=10000", "commandTimeout=1"}},
		{"error", "node-redlock", []string{"duration=10000", "commandTimeout=20", "retryCount=-1"}},
		{"", "node-redlock", []string{"duration=10000", "commandTimeout=20", "retryCount=0"}},
	})
}

// TestNodeRedlockForEver: -1 has no bound of its calls, and is not one try.
func TestNodeRedlockForEver(t *testing.T) {
	args := []string{"duration=10000", "commandTimeout=20", "automaticExtensionThreshold=6600", "--rtt=5ms"}
	v := judged(t, "node-redlock", append(args, "retryCount=-1")...)
	if severityOf(v, "LP108") != "error" || severityOf(v, "LP565") != "error" || severityOf(v, "LP307") == "" {
		t.Errorf("retryCount -1: %v", v.Findings)
	}
	if v.Consequences.AcquireWorst != nil || v.Run.Setup.Unlock.Known || v.Run.Setup.Wait.Known {
		t.Errorf("retryCount -1 bounds an acquire by %v, an unlock by %v", v.Consequences.AcquireWorst, v.Run.Setup.Unlock)
	}
	v = judged(t, "node-redlock", append(args, "retryCount=0")...)
	if severityOf(v, "LP108") != "" || v.Consequences.AcquireWorst == nil {
		t.Errorf("retryCount 0: %v", v.Findings)
	}
}
