package library

import (
	"testing"
	"time"
)

// research/libs-redis.md BR1 and section 6: Obtain tries once without a
// strategy, LimitRetry counts, and without a deadline the ttl ends the wait.
func TestLP522(t *testing.T) {
	ruleEdges(t, "LP522", []ruleEdge{
		{"", "redislock", []string{"ttl=2s"}},
		{"error", "redislock", []string{"ttl=2s", "--wait=1ms"}},
		{"error", "redislock", []string{"ttl=2s", "backoff=50ms", "retries=0", "--wait=1s"}},
		{"error", "redislock", []string{"ttl=2s", "backoff=0s", "--wait=1s"}},
		{"", "redislock", []string{"ttl=2s", "backoff=50ms", "--wait=2s"}},
		{"error", "redislock", []string{"ttl=2s", "backoff=50ms", "--wait=2001ms"}},
		{"", "redislock", []string{"ttl=2s", "backoff=50ms", "contextDeadline=5s", "--wait=5s"}},
		// 40 x 50 ms.
		{"", "redislock", []string{"ttl=2s", "backoff=50ms", "retries=40", "--wait=2s"}},
		{"error", "redislock", []string{"ttl=2s", "backoff=50ms", "retries=39", "--wait=2s"}},
		{"", "redislock", []string{"ttl=2s", "backoff=50ms", "retries=100", "contextDeadline=5s"}},
		{"warning", "redislock", []string{"ttl=2s", "backoff=50ms", "retries=99", "contextDeadline=5s"}},
		{"warning", "redislock", []string{"ttl=2s", "backoff=50ms", "retries=3", "contextDeadline=5s"}},
		// 16 + 16 + 16 + 32 + 64 + 100 ms.
		{"", "redislock", []string{"ttl=2s", "backoff=16ms", "maxBackoff=100ms", "retries=6", "contextDeadline=244ms"}},
		{"warning", "redislock", []string{"ttl=2s", "backoff=16ms", "maxBackoff=100ms", "retries=6", "contextDeadline=245ms"}},
	})
}

// 3 x 50 ms of back-off are all that a context of 5 s gets (measured: 153 ms):
// nobody outlives a dead holder by it.
func TestRetriesEndTheWait(t *testing.T) {
	around := []string{"--rtt=5ms", "--p999=100ms", "--pause=500ms"}
	for _, c := range []struct {
		args  []string
		wait  time.Duration
		lp304 string
	}{
		{[]string{"ttl=2s", "retries=3", "backoff=50ms", "contextDeadline=5s"}, 150 * time.Millisecond, "warning"},
		{[]string{"ttl=2s", "retries=3", "backoff=50ms", "contextDeadline=100ms"}, 100 * time.Millisecond, "warning"},
		{[]string{"ttl=2s", "backoff=50ms", "contextDeadline=5s"}, 5 * time.Second, ""},
		{[]string{"ttl=2s", "retries=100", "backoff=50ms"}, 2 * time.Second, "warning"},
		{[]string{"ttl=2s", "retries=100", "backoff=50ms", "contextDeadline=5s"}, 5 * time.Second, ""},
		{[]string{"ttl=2s"}, 0, "warning"},
	} {
		v := judged(t, "redislock", append(c.args, around...)...)
		if got := v.Run.Setup.Wait.Value; got != c.wait {
			t.Errorf("%v: waits for %v, want %v", c.args, got, c.wait)
		}
		if got := severityOf(v, "LP304"); got != c.lp304 {
			t.Errorf("%v: LP304 is %q, want %q", c.args, got, c.lp304)
		}
	}
}
