package library

import (
	"testing"
	"time"
)

// research/libs-redis.md section 1 and RS6: the lease, W, the round trip and
// the wait of every dead waiter ahead. TestRealRedissonFair measures one and
// two of them. With a round trip of 5 ms W is 105 ms.
func TestLP503(t *testing.T) {
	fair := func(args ...string) []string { return append([]string{"lockType=fair", "--rtt=5ms"}, args...) }
	ruleEdges(t, "LP503", []ruleEdge{
		{"warning", "redisson@4.2", fair("--rto=330109ms")}, // 30 s + 5 min + 110 ms
		{"", "redisson@4.2", fair("--rto=330110ms")},
		{"", "redisson@4.2", fair()},
		{"", "redisson@4.2", []string{"--rto=60s"}},
		{"warning", "redisson@4.2", fair("fairLockWaitTimeout=10000", "--rto=40109ms")},
		{"", "redisson@4.2", fair("fairLockWaitTimeout=10000", "--rto=40110ms")},
		{"", "redisson@4.2", fair("fairLockWaitTimeout=10000", "--rto=40110ms", "--contenders=3")},
		{"warning", "redisson@4.2", fair("fairLockWaitTimeout=10000", "--rto=40110ms", "--contenders=4")},
		{"", "redisson@4.2", fair("fairLockWaitTimeout=10000", "--rto=50110ms", "--contenders=4")},
		{"warning", "redisson@4.2", fair("leaseTime=5000", "--rto=305s")},
		{"", "redisson@4.2", fair("leaseTime=5000", "--rto=306s")},
		{"warning", "redisson@3.45.1", fair("fairLockWaitTimeout=10000", "--rto=60s")}, // a constant of 5 min until 3.46
		{"", "redisson@3.46", fair("fairLockWaitTimeout=10000", "--rto=60s")},
		{"", "redisson@4.2", fair("waitTime=2000", "--rto=32110ms")}, // a waiter in tryLock keeps its place for its own wait
		{"warning", "redisson@4.2", fair("waitTime=2000", "--rto=32109ms")},
	})
}

// C5 of a fair lock counts one dead waiter; that of a spin lock its back-off of
// up to 128 ms.
func TestFairTakeover(t *testing.T) {
	for _, row := range []struct {
		library string
		args    []string
		worst   time.Duration
	}{
		{"redisson@4.2", nil, 30110 * time.Millisecond},
		{"redisson@4.2", []string{"lockType=spin"}, 30138 * time.Millisecond}, // 128 ms, a try and the round trip
		{"redisson@4.2", []string{"lockType=fair"}, 330110 * time.Millisecond},
		{"redisson@3.45.1", []string{"lockType=fair", "fairLockWaitTimeout=1"}, 330110 * time.Millisecond},
		{"redisson@4.2", []string{"lockType=fair", "fairLockWaitTimeout=3000", "leaseTime=2000"}, 5110 * time.Millisecond},
		{"redisson@4.2", []string{"lockType=fair", "--wait=400s"}, 430110 * time.Millisecond}, // in tryLock or in lock
	} {
		v := judged(t, row.library, append(row.args, "--rtt=5ms", "--rto=310s")...)
		if got := *v.Consequences.TakeoverWorst; got != row.worst {
			t.Errorf("%s %v: %s, want %s", row.library, row.args, got, row.worst)
		}
		if got := *v.Consequences.TakeoverClean; got != 110*time.Millisecond && got != 138*time.Millisecond {
			t.Errorf("%s %v: after a release %s", row.library, row.args, got)
		}
		if got, want := severityOf(v, "LP102") == "error", row.worst > 310*time.Second; got != want {
			t.Errorf("%s %v: LP102 %v, want %v", row.library, row.args, got, want)
		}
	}
}
