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
		{"error", "redis-py", with("extend_replaces_ttl=false", "extend_by=3.001")},
		{"", "redis-py", with("extend_replaces_ttl=false", "extend_by=3")},
		{"error", "redis-py", []string{"timeout=10", "extend_replaces_ttl=false", "extend_by=10", "--max-hold=60s"}}, // how often?
		{"", "redis-py", []string{"timeout=10", "extend_by=60"}},
	})
	held := judged(t, "redis-py", with("extend_replaces_ttl=false", "--max-hold=60s", "--rto=15s")...)
	if got := *held.Consequences.FreeMax; got != 150*time.Second || severityOf(held, "LP102") != "error" {
		t.Errorf("20 extends of 7 s more leave %s: %v", got, held.Findings)
	}
	half := judged(t, "redis-py", with("extend_replaces_ttl=false", "extend_by=5", "--max-hold=60s")...)
	if got := *half.Consequences.FreeMax; got != 50*time.Second {
		t.Errorf("20 extends of 2 s more leave %s", got)
	}
	endless := judged(t, "redis-py", with("extend_replaces_ttl=false", "--rto=15s")...)
	if c := endless.Consequences; c.FreeMax != nil || c.TakeoverWorst != nil || endless.Run.TakeoverTerms() == "" {
		t.Errorf("extends without an end are bounded by %v", c.FreeMax)
	}
}

// TestRealRedisPy: extend() without replace_ttl adds to what is left, with it it
// is all that is left.
func TestRedisPyExtends(t *testing.T) {
	renews := []string{"timeout=10", "reacquire_every=3", "socket_timeout=0.2", "retries=1", "--max-hold=60s"}
	for _, c := range []struct {
		by, replaces      string
		ttl, free         time.Duration
		renewed, resolved bool
	}{
		{"10", "true", 10 * time.Second, 10 * time.Second, true, true},
		{"60", "true", 10 * time.Second, 60 * time.Second, true, true},
		{"6", "true", 6 * time.Second, 10 * time.Second, true, true},
		{"3", "false", 10 * time.Second, 10 * time.Second, true, true},
		{"2.999", "false", 10 * time.Second, 10 * time.Second, false, true}, // less is left each time
		{"0", "true", 0, 0, false, false},
	} {
		v, err := judgement("redis-py", append(renews, "extend_by="+c.by, "extend_replaces_ttl="+c.replaces)...)
		if (err == nil) != c.resolved {
			t.Errorf("extend(%s): %v", c.by, err)
		}
		if err != nil {
			continue
		}
		if got := v.Consequences; *got.TTL != c.ttl || *got.FreeMax != c.free || (got.Interval != nil) != c.renewed {
			t.Errorf("extend(%s), replace %s: a lease of %s, free after %s, renewed %v", c.by, c.replaces, *got.TTL, *got.FreeMax, got.Interval)
		}
	}
}
