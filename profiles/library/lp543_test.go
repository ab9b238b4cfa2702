package library

import (
	"slices"
	"testing"
	"time"
)

// research/libs-redis.md SI4 and TestRealSpring: asked for just before the end,
// lock() came 3.81 s after the crash of a lease of 2 s, tryLock(1.5 s) 2.42 s
// after that of one of 1 s.
func TestLP543(t *testing.T) {
	ruleEdges(t, "LP543", []ruleEdge{
		{"", "spring-integration", []string{"redisLockType=PUB_SUB_LOCK", "expireAfter=10000", "--rto=20s"}},
		{"warning", "spring-integration", []string{"redisLockType=PUB_SUB_LOCK", "expireAfter=10000", "--rto=19999ms"}},
		{"", "spring-integration", []string{"redisLockType=PUB_SUB_LOCK", "expireAfter=10000", "waitTime=3000", "--rto=13s"}},
		{"warning", "spring-integration", []string{"redisLockType=PUB_SUB_LOCK", "expireAfter=10000", "waitTime=3000", "--rto=12999ms"}},
		{"", "spring-integration", []string{"expireAfter=10000", "--rto=11s"}},
		{"", "spring-integration", []string{"redisLockType=PUB_SUB_LOCK", "expireAfter=10000"}},
	})
}

// The takeover, LP102 and LP304 reckon with it.
func TestPubSubTakeover(t *testing.T) {
	at := func(more ...string) Verdict {
		return judged(t, "spring-integration", slices.Concat([]string{"expireAfter=2000", "spring.data.redis.timeout=200ms", "redisLockType=PUB_SUB_LOCK", "--rtt=5ms", "--rto=3s"}, more)...)
	}
	for _, c := range []struct {
		more         []string
		worst, clean time.Duration
		lp304        string
	}{
		{nil, 4010 * time.Millisecond, 110 * time.Millisecond, ""},
		{[]string{"waitTime=2000"}, 4010 * time.Millisecond, 110 * time.Millisecond, "warning"}, // its last try is just too early
		{[]string{"waitTime=2001"}, 4011 * time.Millisecond, 110 * time.Millisecond, ""},
		{[]string{"waitTime=10000"}, 12010 * time.Millisecond, 110 * time.Millisecond, ""},
	} {
		v := at(c.more...)
		got := v.Consequences
		if *got.TakeoverWorst != c.worst || *got.TakeoverClean != c.clean {
			t.Errorf("%v: takeover %s, clean %s; want %s, %s", c.more, got.TakeoverWorst, got.TakeoverClean, c.worst, c.clean)
		}
		if severityOf(v, "LP102") != "error" || severityOf(v, "LP304") != c.lp304 {
			t.Errorf("%v: LP102 is %q, LP304 %q", c.more, severityOf(v, "LP102"), severityOf(v, "LP304"))
		}
	}
	if spin := judged(t, "spring-integration", "expireAfter=2000", "spring.data.redis.timeout=200ms", "--rtt=5ms", "--rto=3s"); severityOf(spin, "LP102") != "" {
		t.Errorf("SPIN_LOCK: %v", spin.Findings)
	}
}
