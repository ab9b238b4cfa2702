package library

import (
	"testing"
	"time"
)

// Four calls of 4 s and a wait of 1 s; with a try more each of them takes
// 4 + 1 + 6 s (TestRealCuratorAcquire: acquire(1 s) threw after 10.2 s).
func TestLP585(t *testing.T) {
	at := func(more ...string) []string {
		return append([]string{"sessionTimeoutMs=6000", "tickTime=500", "connectionTimeoutMs=1000", "--work=0s", "--reply=0s"}, more...)
	}
	ruleEdges(t, "LP585", []ruleEdge{
		{"", "curator", at("application.acquireWait=1s", "--deadline=17s")},
		{"warning", "curator", at("application.acquireWait=1s", "--deadline=16999ms")},
		{"", "curator", at("application.acquireWait=1s", "retries=1", "--deadline=45s")},
		{"warning", "curator", at("application.acquireWait=1s", "retries=1", "--deadline=44999ms")},
		{"", "curator", at("application.acquireWait=1s")},
		{"error", "curator", at("retryPolicy=RetryForever(100)")}, // whatever the deadline
		{"error", "curator", at("retryPolicy=RetryForever(100)", "application.acquireWait=1s", "--deadline=10h")},
	})
	v := judged(t, "curator", at("retryPolicy=RetryForever(100)", "application.acquireWait=1s")...)
	if v.Consequences.AcquireWorst != nil || v.Run.Setup.Command.Known {
		t.Errorf("RetryForever: acquire ends after %v", v.Consequences.AcquireWorst)
	}
	if got := judged(t, "curator", at("application.acquireWait=1s", "retries=1")...).Consequences.AcquireWorst; *got != 45*time.Second {
		t.Errorf("acquire takes %s", got)
	}
}
