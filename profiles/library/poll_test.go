package library

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// model.md 1 and C5, research/libs-redis.md 1: a lease of 10 s, a sleep of
// 10 s between two tries and a round trip of 5 ms: the try that was refused and
// the one that gets the lock take a round trip each.
func TestPollIsInTheTakeover(t *testing.T) {
	const rtt = "--rtt=5ms"
	for _, c := range []struct {
		library string
		args    []string
		want    time.Duration
	}{
		{"generic", []string{"ttl=10s", "retryDelay=10s"}, 20010 * time.Millisecond},
		{"go-redis", []string{"ttl=10s", "retryDelay=10s"}, 20010 * time.Millisecond},
		{"redislock", []string{"ttl=10s", "backoff=10s", "retries=100", "contextDeadline=60s"}, 20010 * time.Millisecond},
		{"redis-py", []string{"timeout=10", "sleep=10"}, 20010 * time.Millisecond},
		{"spring-integration", []string{"expireAfter=10000", "idleBetweenTries=10000"}, 20010 * time.Millisecond},
		// 100 ms of jitter, the default.
		{"node-redlock", []string{"duration=10000", "retryDelay=10000", "using=false", "commandTimeout=50"}, 20110 * time.Millisecond},
		// E + 250 ms + E x timeoutFactor, and the round trip of C5.
		{"redsync", nil, 8655 * time.Millisecond},
		{"redsync", []string{"WithExpiry=10s", "WithRetryDelay=10s"}, 20505 * time.Millisecond},
		// V + TryNextAfter without caching, and a command for each of two keys.
		{"rueidislock", []string{"KeyValidity=10s", "TryNextAfter=10s", "DisableCache=true"}, 20020 * time.Millisecond},
		// V + 0.1 s with it.
		{"rueidislock", []string{"KeyValidity=10s", "NoLoopTracking=true"}, 10115 * time.Millisecond},
		// A back-off that ends with the wait is no longer than that.
		{"redislock", []string{"ttl=10s", "backoff=16ms", "maxBackoff=1h", "contextDeadline=12s"}, 22010 * time.Millisecond},
		{"redislock", []string{"ttl=10s", "backoff=16ms", "maxBackoff=2s", "contextDeadline=60s"}, 12010 * time.Millisecond},
		// Polls within the margin of 105 ms are covered by it.
		{"generic", []string{"ttl=10s", "retryDelay=50ms"}, 10110 * time.Millisecond},
		// Nobody polls: W is the margin.
		{"generic", []string{"ttl=10s"}, 10110 * time.Millisecond},
		{"redislock", []string{"ttl=10s"}, 10110 * time.Millisecond},
	} {
		if got := *judged(t, c.library, append(c.args, rtt)...).Consequences.TakeoverWorst; got != c.want {
			t.Errorf("%s %v: a waiter owns the lock after %v, want %v", c.library, c.args, got, c.want)
		}
	}
}

// A W that somebody states is the one that counts.
func TestStatedDetectWins(t *testing.T) {
	v := judged(t, "redis-py", "timeout=10", "sleep=10", "--rtt=5ms", "--detect=1s")
	if got := *v.Consequences.TakeoverWorst; got != 11005*time.Millisecond {
		t.Errorf("a waiter owns the lock after %v, want 11.005s", got)
	}
}

// What is emitted polls within the plan's own W, so that a recovery target
// which the plan meets is met.
func TestEmittedPollsWithinThePlan(t *testing.T) {
	claim := func(d time.Duration) calc.Bound { return calc.Claim(d, "") }
	for _, name := range []string{"generic", "go-redis", "redsync", "redislock", "redis-py", "node-redlock", "spring-integration", "rueidislock"} {
		for _, in := range []calc.Inputs{
			{RTT: claim(5 * time.Millisecond)},
			{RTT: claim(20 * time.Millisecond), Jitter: claim(15 * time.Millisecond)},
			{Margin: claim(700 * time.Millisecond)},
			{Margin: claim(300 * time.Millisecond)},
			{Margin: claim(3 * time.Second)},
		} {
			lib, err := Get(name)
			if err != nil {
				t.Fatal(err)
			}
			in.Library, in.Pause, in.Hold = lib, claim(500*time.Millisecond), claim(800*time.Millisecond)
			in.FailuresGiven, in.Mode = true, calc.Renewed // no failure, which rueidislock does not tolerate
			if in, err = in.Resolve(); err != nil {
				t.Fatal(err)
			}
			sol := calc.Solve(in)
			free, err := Fit(lib, Wanted{In: in, Lease: sol.Lease, MaxHold: calc.MaxHold(in, sol)})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			l := free.Verdict.Run.Lease
			worst, _, _ := l.Takeover(free.Verdict.Run.Library, in.Env())
			if got := *free.Verdict.Consequences.TakeoverWorst; got > worst {
				t.Errorf("%s, margin %v: a waiter of what is emitted owns the lock after %v, the plan says %v", name, in.Margin.Value, got, worst)
			}
		}
	}
}
