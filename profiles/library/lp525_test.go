package library

import (
	"testing"
	"time"
)

// requirements.md E1: taking a lock with its TTL is one step, and only its
// owner releases it.
func TestLP525(t *testing.T) {
	ruleEdges(t, "LP525", []ruleEdge{
		{"", "go-redis", []string{"ttl=10s"}},
		{"", "go-redis", []string{"ttl=10s", "acquire=set-nx-px", "release=script"}},
		{"error", "go-redis", []string{"ttl=10s", "acquire=setnx-expire"}},
		{"error", "go-redis", []string{"ttl=10s", "release=del"}},
		{"", "redis-py", []string{"timeout=10"}},
		{"", "redis-py", []string{"timeout=10", "acquire=set-nx-px", "release=script"}},
		{"error", "redis-py", []string{"timeout=10", "acquire=setnx-expire"}},
		{"error", "redis-py", []string{"timeout=10", "acquire=set-nx-px", "release=del"}},
		{"", "node-redlock", []string{"duration=10000"}},
		{"", "node-redlock", []string{"duration=10000", "acquire=set-nx-px"}},
		{"error", "node-redlock", []string{"duration=10000", "acquire=setnx-expire"}},
		{"error", "node-redlock", []string{"duration=10000", "acquire=set-nx-px", "release=del"}},
	})
}

// A lock by hand is none of the library's own: no drift, no retries and no
// renewal of Redlock's, no poll of redis-py's Lock. F2: 30 s worth of work less
// M of 700 ms.
func TestLockByHandIsNotTheLibrarys(t *testing.T) {
	for _, c := range []struct {
		library string
		args    []string
	}{{"redis-py", []string{"timeout=30", "acquire=set-nx-px", "--margin=700ms", "--pause=0s"}}, {"node-redlock", []string{"duration=30000", "acquire=set-nx-px", "--margin=700ms", "--pause=0s"}}} {
		v := judged(t, c.library, c.args...)
		got := v.Consequences
		if got.Interval != nil || got.Hold == nil || *got.Hold != 29300*time.Millisecond || *got.TakeoverWorst != 30700*time.Millisecond || *got.TakeoverClean != 700*time.Millisecond {
			t.Errorf("%s: interval %v, hold %v, takeover %v, %v", c.library, got.Interval, *got.Hold, *got.TakeoverWorst, *got.TakeoverClean)
		}
		for _, id := range []string{"LP562", "LP563", "LP564", "LP565"} {
			if severityOf(v, id) != "" {
				t.Errorf("%s: %s of a lock by hand", c.library, id)
			}
		}
	}
	// Without an expiry no holder's death frees it.
	if v := judged(t, "node-redlock", "duration=0", "acquire=set-nx-px"); severityOf(v, "LP520") != "error" || v.Run.HasLease {
		t.Errorf("no expiry: %v", v.Findings)
	}
	if v := judged(t, "redis-py", "timeout=None", "acquire=set-nx-px"); severityOf(v, "LP560") != "error" || v.Run.HasLease {
		t.Errorf("no expiry: %v", v.Findings)
	}
}
