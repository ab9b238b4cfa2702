package library

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// research/libs-coordination.md 5.1: renewDeadline > 1.2 x retryPeriod; 12 s
// and 10 s is refused, 12.001 s taken.
func TestLP641(t *testing.T) {
	ruleEdges(t, "LP641", []ruleEdge{
		{"error", "client-go", []string{"leaseDuration=30s", "renewDeadline=12s", "retryPeriod=10s"}},
		{"", "client-go", []string{"leaseDuration=30s", "renewDeadline=12001ms", "retryPeriod=10s"}},
		{"", "client-go", nil},
	})
	// The hint's number is legal itself, and one that people write: 833 ms.
	v := judged(t, "client-go", "leaseDuration=15s", "renewDeadline=1s", "retryPeriod=2s")
	for _, f := range v.Findings {
		if f.ID == "LP641" && f.Fix != "a retryPeriod of at most 833ms, better 333ms" {
			t.Errorf("hint: %s", f.Fix)
		}
	}
	for _, retry := range []string{"833ms", "333ms"} {
		if got := judged(t, "client-go", "leaseDuration=15s", "renewDeadline=1s", "retryPeriod="+retry); severityOf(got, "LP641") != "" {
			t.Errorf("a retryPeriod of %s, as hinted: %v", retry, got.Findings)
		}
	}
}

// K08: calls of 10 to 15 s while every call is cut off after 5; R2, Tr >= rtt.
func TestClientGoUnanswered(t *testing.T) {
	ruleEdges(t, "LP108", []ruleEdge{
		{"", "client-go", []string{"--rtt=5s"}}, // max(1s, renewDeadline/2)
		{"error", "client-go", []string{"--rtt=5001ms"}},
		{"error", "client-go", []string{"--rtt=15s"}},
		{"error", "client-go", []string{"leaseDuration=60s", "--rtt=6s"}},
		{"", "client-go", []string{"clientTimeout=6s", "--rtt=6s"}},
		{"error", "client-go", []string{"clientTimeout=120s", "--rtt=10001ms"}}, // the renew deadline ends it
		{"", "client-go", []string{"leaseDuration=60s", "renewDeadline=30s", "--rtt=15s"}},
	})
	c := judged(t, "client-go", "leaseDuration=60s", "--rtt=6s").Consequences
	if *c.Failures != -1 || *c.Outage != 0 || *c.Pause != 0 {
		t.Errorf("no call is answered, and %d failures, an outage of %s and a pause of %s are survived", *c.Failures, c.Outage, c.Pause)
	}
}

// K25, K27: 15 s + 2 polls of 2.2 x 2 s without the release, one poll with it.
func TestClientGoCleanStop(t *testing.T) {
	for text, want := range map[string]time.Duration{"releaseOnCancel=false": 23800 * time.Millisecond, "releaseOnCancel=true": 4400 * time.Millisecond} {
		if got := *judged(t, "client-go", text).Consequences.TakeoverClean; got != want {
			t.Errorf("%s: taken over after a clean stop in %s, want %s", text, got, want)
		}
	}
	if worst, _ := finding.Worst(judged(t, "client-go").Findings); worst == finding.Error {
		t.Error("the defaults are an error")
	}
}
