package library

import (
	"testing"
	"time"
)

// research/libs-redis.md section 14: a client has its timeouts when nobody
// writes them down, and then it takes as long to acquire.
func TestDefaultsCountOnTheAcquirePath(t *testing.T) {
	for _, row := range []struct {
		library string
		args    []string
		written string // a default of its sheet
	}{
		{"go-redis@9.22", []string{"ttl=5s", "--wait=300ms", "--rtt=5ms"}, "ReadTimeout=5s"},
		{"go-redis@9.7", []string{"ttl=5s", "--wait=300ms", "--rtt=5ms"}, "ReadTimeout=3s"},
		{"redislock@0.9", []string{"ttl=5s", "backoff=50ms", "--wait=300ms", "--rtt=5ms"}, "ReadTimeout=5s"},
		{"redislock@0.9", []string{"ttl=5s", "backoff=50ms", "contextDeadline=300ms", "--rtt=5ms"}, "MaxRetries=3"},
		{"redsync", []string{"WithExpiry=8s", "--wait=1s", "--rtt=5ms"}, "ReadTimeout=5s"},
		{"redsync", []string{"WithExpiry=8s", "--deadline=1s", "--work=100ms", "--rtt=5ms"}, "ReadTimeout=5s"},
		{"redis-py@8.1", []string{"timeout=10", "blocking_timeout=5", "--rtt=5ms"}, "socket_timeout=5"},
		{"redis-py@8.1", []string{"timeout=10", "blocking_timeout=5", "--rtt=5ms"}, "retries=10"},
		{"redisson@3.47", []string{"waitTime=1000", "--rtt=5ms"}, "timeout=3000"},
		{"spring-integration", []string{"expireAfter=30000", "waitTime=1000", "--rtt=5ms"}, "spring.data.redis.timeout=60s"},
		{"curator", []string{"sessionTimeoutMs=30000", "--wait=1s", "--rtt=5ms"}, "connectionTimeoutMs=15000"},
	} {
		silent, written := judged(t, row.library, row.args...), judged(t, row.library, append(row.args, row.written)...)
		for _, v := range []Verdict{silent, written} {
			if got := severityOf(v, "LP303"); got != "error" {
				t.Errorf("%s %v: LP303 is %q", row.library, row.args, got)
			}
		}
		if a, b := *silent.Consequences.AcquireWorst, *written.Consequences.AcquireWorst; a != b {
			t.Errorf("%s %v: an acquire takes %s, with the default written down %s", row.library, row.args, a, b)
		}
	}
}

// One command of go-redis by hand takes 104.6 s beside its wait; of redislock 5 s
// more than its context, which is the ttl where none is given.
func TestAcquireWorstByDefault(t *testing.T) {
	for _, row := range []struct {
		library string
		args    []string
		want    time.Duration
	}{
		{"go-redis@9.22", []string{"ttl=5s", "--wait=300ms"}, 104900 * time.Millisecond},
		{"redislock", []string{"ttl=30s", "backoff=50ms", "contextDeadline=500ms"}, 5500 * time.Millisecond},
		{"redislock", []string{"ttl=30s", "backoff=50ms"}, 35 * time.Second},
	} {
		if got := *judged(t, row.library, row.args...).Consequences.AcquireWorst; got != row.want {
			t.Errorf("%s %v: %s, want %s", row.library, row.args, got, row.want)
		}
	}
	// Nobody set the wait that is the ttl for want of a context, or that a count
	// of tries makes: case N14-sound.
	ruleEdges(t, "LP303", []ruleEdge{
		{"", "redislock", []string{"ttl=30s", "backoff=50ms"}},
		{"", "redsync", []string{"WithRetryDelay=150ms", "--rtt=5ms"}},
	})
}

// Redisson resends no lock script in single mode (research 2.2): tryLock(15 s)
// takes 15 s and one command of 12 s, the renewal alone 22 s.
func TestRedissonAcquireIsNotResent(t *testing.T) {
	ruleEdges(t, "LP303", []ruleEdge{
		{"", "redisson@4.2", []string{"leaseTime=5000", "waitTime=15000", "--rtt=5ms"}},
		{"error", "redisson@4.2", []string{"leaseTime=5000", "waitTime=11000", "--rtt=5ms"}},
		{"error", "redisson@3.47", []string{"timeout=200", "retryAttempts=3", "retryInterval=200", "waitTime=999", "--rtt=5ms"}},
	})
}

// A client that waits for ever for an answer does so while it acquires, however
// short the wait.
func TestNothingEndsAnAcquire(t *testing.T) {
	for _, args := range [][]string{
		{"redis-py@7.0", "timeout=10", "blocking_timeout=5"}, {"redis-py@8.1", "timeout=10", "blocking_timeout=5", "socket_timeout=None"},
		{"go-redis", "ttl=5s", "ReadTimeout=-1ns", "--wait=300ms"}, {"redislock", "ttl=5s", "ReadTimeout=-1ns", "contextDeadline=300ms"},
		{"redsync", "ReadTimeout=-1ns"}, {"node-redlock", "duration=10000"}, {"node-redlock", "duration=10000", "commandTimeout=500", "retryCount=-1"},
		{"spring-integration", "expireAfter=10000", "waitTime=1000", "spring.data.redis.timeout=0"}, {"curator", "sessionTimeoutMs=10000", "retryPolicy=RetryForever(100)", "--wait=1s"},
	} {
		if worst := judged(t, args[0], args[1:]...).Consequences.AcquireWorst; worst != nil {
			t.Errorf("%v: an acquire takes up to %s", args, *worst)
		}
	}
}
