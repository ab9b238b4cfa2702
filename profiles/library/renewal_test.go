package library

import (
	"testing"
	"time"
)

// What the pages of these libraries say one call takes, where the lease reckons
// with the margin: T/3 from a ping to the disconnect, go-zookeeper's read
// deadline of 2T/3, rueidislock's context of a whole lease. Consul's and
// ShedLock's is their client's, which nobody knows.
func TestRenewalAsThePagesSayIt(t *testing.T) {
	for _, row := range []struct {
		library string
		args    []string
		want    time.Duration
	}{
		{"zookeeper", []string{"sessionTimeout=9000", "tickTime=1000"}, 3 * time.Second},
		{"go-zookeeper", []string{"sessionTimeout=9s", "tickTime=1000"}, 6 * time.Second},
		{"curator", []string{"sessionTimeoutMs=9000", "tickTime=1000", "retryPolicy=RetryForever(1000)"}, 3 * time.Second},
		{"rueidislock", []string{"KeyValidity=10s"}, 10 * time.Second},
	} {
		v := judged(t, row.library, row.args...)
		if got := v.Consequences.CallWorst; got == nil || *got != row.want {
			t.Errorf("%s: %v, want %s", row.library, got, row.want)
		}
	}
	// 2T/3 and 29 tries of connectionTimeoutMs + T and their sleeps: LP303's.
	v := judged(t, "curator", "sessionTimeoutMs=9000", "tickTime=1000", "retryPolicy=ExponentialBackoffRetry(1000, 29)", "--wait=1s")
	if got := *v.Consequences.CallWorst; got != v.Run.Setup.Command.Value || got < 200*24*time.Hour {
		t.Errorf("curator: %s", got)
	}
	for _, unknown := range [][]string{{"consul", "SessionTTL=15s"}, {"shedlock", "lockAtMostFor=60s", "keepAlive=true"}} {
		if v := judged(t, unknown[0], unknown[1:]...); v.Consequences.Call != nil || v.Consequences.CallWorst != nil {
			t.Errorf("%s: %v", unknown[0], v.Consequences.Call)
		}
	}
}
