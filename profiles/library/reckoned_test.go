package library

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// What one library's configuration comes to. Where a sum stands beside a value,
// it is the research's formula for it.
const (
	oneCall      = "one call"
	oneUnlock    = "one unlock"
	worstAcquire = "the worst acquire"
	everyRenewal = "between two renewals"
	tryAgain     = "from a failed renewal to the next"
	lossSignal   = "until the holder is told"
	ofTheLease   = "the lease"
	polls        = "between two tries"
)

// reckoned is a figure of a configuration.
func reckoned(t *testing.T, v Verdict, what string) time.Duration {
	t.Helper()
	known := func(d *time.Duration) time.Duration {
		if d == nil {
			return -1
		}
		return *d
	}
	switch what {
	case oneCall:
		return known(v.Consequences.Call)
	case oneUnlock:
		return v.Run.Setup.Unlock.Value
	case worstAcquire:
		return known(v.Consequences.AcquireWorst)
	case everyRenewal:
		return v.Run.Lease.Interval
	case tryAgain:
		return v.Run.Lease.Spacing - v.Run.Lease.Call
	case polls:
		return v.Run.Setup.RetryDelay.Value
	case lossSignal:
		return known(v.Consequences.LossKnown)
	case ofTheLease:
		return known(v.Consequences.TTL)
	}
	d, err := GoText.Parse(v.Run.Effective[what])
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return d
}

// TestReckoned holds the arithmetic of each library against that of
// research/libs-redis.md (RS with its section) and libs-coordination.md (RC),
// and against the library's own constants.
func TestReckoned(t *testing.T) {
	const strategy = "retryDelay=!<org.redisson.config."
	for _, row := range []struct {
		library string
		args    []string
		what    string // one of the above, or an effective setting
		want    time.Duration
	}{
		// RS 2.2: without a resend connection, write and reply each take the timeout.
		{"redisson@4.2", []string{"timeout=1000", "retryAttempts=0"}, oneCall, 3 * time.Second},
		{"redisson@4.2", []string{"timeout=1000", "slavesSyncTimeout=500", "mode=cluster", "retryAttempts=0"}, oneCall, 4500 * time.Millisecond},
		{"redisson@4.2", []string{"timeout=1000", "retryAttempts=2", strategy + "ConstantDelay> {delay: PT0S}"}, oneCall, 3 * time.Second},
		// RS 2.1: decorrelated jitter is below its max.
		{"redisson@4.2", []string{"timeout=300", "retryAttempts=2", strategy + "DecorrelatedJitterDelay> {baseDelay: PT0.1S, maxDelay: PT1S}"}, oneCall, 2900 * time.Millisecond},
		// RS 2.1: 3 and 1.5 s up to 3.47; from 3.48 on 4, and 1 to 2 s.
		{"redisson@3.47", nil, oneCall, 4*3*time.Second + 3*1500*time.Millisecond},
		{"redisson@3.48", nil, oneCall, 5*3*time.Second + (1+2+2+2)*time.Second},

		// RS 3: fixed before 6.4; a scheduler renews every third; UNLINK, then DEL.
		{"spring-integration@6.3", []string{"idleBetweenTries=500"}, polls, 100 * time.Millisecond},
		{"spring-integration@6.4", []string{"idleBetweenTries=500"}, polls, 500 * time.Millisecond},
		{"spring-integration@6.4", []string{"expireAfter=9000", "renewalTaskScheduler=true"}, everyRenewal, 3 * time.Second},
		{"spring-integration@6.4", []string{"spring.data.redis.timeout=700ms"}, oneUnlock, 1400 * time.Millisecond},

		// RS 4.
		{"shedlock@7.2", []string{"lockAtMostFor=30s", "keepAlive=true"}, everyRenewal, 15 * time.Second},

		// RS 14, go-redis' options.go: ReadTimeout 3 s up to 9.21; PoolTimeout a
		// second more, 30 s without one; five dials, 100 ms apart.
		{"go-redis@9.21", nil, "ReadTimeout", 3 * time.Second},
		{"go-redis@9.22", nil, "ReadTimeout", 5 * time.Second},
		{"go-redis@9.21", nil, "PoolTimeout", 4 * time.Second},
		{"go-redis@9.22", []string{"ReadTimeout=2s"}, "PoolTimeout", 3 * time.Second},
		{"go-redis@9.22", []string{"ReadTimeout=-1"}, "PoolTimeout", 30 * time.Second},
		{"go-redis@9.22", []string{"ReadTimeout=1s", "PoolTimeout=1s", "DialTimeout=2s", "MaxRetries=-1"}, "command", 5*2*time.Second + 4*100*time.Millisecond},
		{"go-redis@9.22", []string{"ReadTimeout=1s", "PoolTimeout=19s", "DialTimeout=1s", "MaxRetries=1", "MaxRetryBackoff=2s"}, "command", 2*20*time.Second + 2*time.Second},

		// RS 5: a try of expiry x factor, and its clean-up as long again.
		{"redsync", []string{"WithExpiry=8s", "WithTries=2", "WithRetryDelay=100ms", "ContextTimeoutEnabled=true"}, worstAcquire, 2*2*400*time.Millisecond + 100*time.Millisecond},

		// RS 7.
		{"rueidislock", nil, ofTheLease, 5 * time.Second},
		{"rueidislock", nil, everyRenewal, 2500 * time.Millisecond},

		// RS 8: 3 resends at most 10 s apart in 6 and 7, none before; 10 at most
		// 1 s apart in 8, where a reply and a connection take 5 s. A resend
		// connects first, and that is tried as often.
		{"redis-py@5.2", []string{"socket_timeout=1"}, "command", (1 + 1) * time.Second},
		{"redis-py@6.0", []string{"socket_timeout=1"}, "command", (4*1 + 3*10) * time.Second * (1 + 3)},
		{"redis-py@7.0", []string{"socket_timeout=1"}, "command", (4*1 + 3*10) * time.Second * (1 + 3)},
		{"redis-py@8.0", []string{"socket_timeout=1"}, "command", (11*1+10)*time.Second + 10*(11*5+10)*time.Second},
		{"redis-py@8.0", nil, "command", (11*5 + 10) * time.Second * (1 + 10)},

		// RC 6.1: a failed renewal is tried again after a second; a wait of
		// LockTryOnce is a long poll, its sixteenth, and a sleep of 5 s.
		{"consul", []string{"SessionTTL=15s", "--margin=200ms"}, tryAgain, time.Second},
		{"consul", []string{"LockTryOnce=true", "LockWaitTime=16s"}, worstAcquire, 22 * time.Second},

		// RC 1.3: the last ping that the leader heard of, and a follower that
		// answers by itself for syncLimit ticks.
		{"zookeeper", []string{"sessionTimeout=30000", "tickTime=2000", "syncLimit=5"}, lossSignal, 10*time.Second + time.Second + 5*2*time.Second},
		{"zookeeper", []string{"sessionTimeout=30000", "tickTime=2000"}, lossSignal, 20 * time.Second},
	} {
		if got := reckoned(t, judged(t, row.library, row.args...), row.what); got != row.want {
			t.Errorf("%s %v: %s is %s, want %s", row.library, row.args, row.what, got, row.want)
		}
	}
}

// RS 2.2 and 2.4: with replicas an acquire sends as often as any command, each
// time with WAIT, and sleeps once more; one that begins at the end of the wait
// ends so much later.
func TestReckonedReplicas(t *testing.T) {
	v := judged(t, "redisson@4.2", "timeout=1000", "slavesSyncTimeout=1000", "mode=replicated", "retryAttempts=1",
		"retryDelay="+constantDelay("PT10S"), "waitTime=1000")
	least := 2 * (2*2*time.Second + 2*10*time.Second)
	if got := reckoned(t, v, worstAcquire); got < least || got > least+2*time.Second { // timers come late
		t.Errorf("%s is %s, want %s", worstAcquire, got, least)
	}
}

// RS 5: what redsync does not count on of a lease is its drift factor's share,
// and whatever else drifts more.
func TestReckonedDrift(t *testing.T) {
	for factor, want := range map[string]time.Duration{"0.25": 6 * time.Second, "0.01": 7920 * time.Millisecond} {
		v := judged(t, "redsync", "WithExpiry=8s", "WithDriftFactor="+factor)
		if got := v.Run.Lease.Worth(v.Run.In.Drift); got != want {
			t.Errorf("a drift factor of %s leaves %s of 8s, want %s", factor, got, want)
		}
	}
}

// RS 3 and RS 4: what exists from a version on is neither planned nor emitted
// before it.
func TestReckonedSince(t *testing.T) {
	for name, renewed := range map[string]bool{"spring-integration@6.3": false, "spring-integration@6.4": true} {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := !lib.Traits().NoRenewed; got != renewed {
			t.Errorf("%s renews: %v", name, got)
		}
	}
	for name, want := range map[string]string{"shedlock@6.6": "false", "shedlock@6.7": "true"} {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		settings, err := lib.Express(Ask{Lease: calc.Lease{TTL: time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range settings {
			if s.Key == "safeUpdate" && s.Text != want {
				t.Errorf("%s: safeUpdate=%s is emitted", name, s.Text)
			}
		}
	}
}
