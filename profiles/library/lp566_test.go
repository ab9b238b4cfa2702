package library

import (
	"testing"
	"time"
)

// sibson/redbeat#127: extend(10) every 3 s leaves 7 s more each time.
func TestLP566(t *testing.T) {
	renews := []string{"timeout=10", "reacquire_every=3", "socket_timeout=0.2", "retries=1"}
	with := func(more ...string) []string { return append(renews[:len(renews):len(renews)], more...) }
	ruleEdges(t, "LP566", []ruleEdge{
		{"error", "redis-py", with("extend_replaces_ttl=false")},
		{"error", "redis-py", with("extend_replaces_ttl=false", "--max-hold=60s")},
		{"", "redis-py", with("extend_replaces_ttl=true")},
		{"", "redis-py", with()},
		{"", "redis-py", []string{"timeout=10", "extend_replaces_ttl=false"}}, // nothing extends
		{"", "redis-py", []string{"timeout=10", "reacquire_every=10", "extend_replaces_ttl=false"}},
		{"error", "redis-py", []string{"timeout=10", "reacquire_every=9.999", "extend_replaces_ttl=false"}},
		{"", "redis-py", with("extend_replaces_ttl=false", "--max-hold=2.999s")}, // over before the first extend
	})
	held := judged(t, "redis-py", with("extend_replaces_ttl=false", "--max-hold=60s", "--rto=15s")...)
	if got := *held.Consequences.FreeMax; got != 150*time.Second || severityOf(held, "LP102") != "error" {
		t.Errorf("20 extends of 7 s more leave %s: %v", got, held.Findings)
	}
	endless := judged(t, "redis-py", with("extend_replaces_ttl=false", "--rto=15s")...)
	if c := endless.Consequences; c.FreeMax != nil || c.TakeoverWorst != nil || endless.Run.TakeoverTerms() == "" {
		t.Errorf("extends without an end are bounded by %v", c.FreeMax)
	}
}
