package library

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Cases row R15 (redisson/redisson#1604): the watchdog of 3.5 to 3.7 skipped
// read locks.
func TestRedissonReadLock(t *testing.T) {
	for version, absent := range map[string]bool{"3.5": true, "3.7": true, "3.7.5": true, "3.8": false, "4.2": false} {
		v := judged(t, "redisson@"+version, "lockType=read", "--p999=35s", "--rtt=5ms", "--pause=1s", "--failures=0")
		if got := severityOf(v, "LP105") == "error"; got != absent {
			t.Errorf("%s: no renewer is %v, want %v", version, got, absent)
		}
		if plain := judged(t, "redisson@"+version, "--p999=35s", "--rtt=5ms", "--pause=1s", "--failures=0"); severityOf(plain, "LP105") != "" {
			t.Errorf("%s: a plain lock has a watchdog", version)
		}
	}
}

// A command with its retries (research 2.2): (A+1) t and the delays, however
// many; 3.48 on refuse what is no count, as the real ones do.
func TestRedissonRetries(t *testing.T) {
	for attempts, want := range map[int]time.Duration{
		2: 3*300*time.Millisecond + 2*100*time.Millisecond, 1000: 400400*time.Millisecond - 100*time.Millisecond,
		1001: 400700 * time.Millisecond, 1_000_000: 1_000_000*400*time.Millisecond + 300*time.Millisecond,
	} {
		v := judged(t, "redisson@4.2", "timeout=300", "retryDelay="+constantDelay("PT0.1S"), "retryAttempts="+strconv.Itoa(attempts))
		if got := *v.Consequences.Call; got != want {
			t.Errorf("%d retries take %s, want %s", attempts, got, want)
		}
	}
	for attempts, taken := range map[int]bool{-1: false, 0: true, math.MaxInt32 - 1: true, math.MaxInt32: false} {
		v, err := judgement("redisson@4.2", "timeout=2147483647", "retryAttempts="+strconv.Itoa(attempts))
		if (err == nil) != taken {
			t.Errorf("%d retries: %v", attempts, err)
		}
		if err == nil && (*v.Consequences.Call <= 0 || *v.Consequences.TakeoverWorst <= 0) {
			t.Errorf("%d retries overflow: %s", attempts, *v.Consequences.Call)
		}
	}
}

// The longest delays (research 2.1): c = min(base x 2^n, max).
func TestRedissonDelays(t *testing.T) {
	for _, row := range []struct {
		s     strategy
		n     int
		total time.Duration
	}{
		{jitter(time.Second, 2*time.Second), 4, 7 * time.Second},
		{jitter(time.Second, 2*time.Second), 5, 9 * time.Second},
		{jitter(time.Millisecond, time.Hour), 10, 1023 * time.Millisecond},
		{jitter(2*time.Second, time.Second), 3, 3 * time.Second},
		{jitter(0, time.Second), 100, 0},
		{jitter(1, time.Second), 100, 100*time.Second - 30*time.Second + (1<<30 - 1)},
		{jitter(math.MaxInt64/2, math.MaxInt64), 3, math.MaxInt64},
		{constantly(time.Second), 1_000_000, 1_000_000 * time.Second},
		{constantly(math.MaxInt64), 2, math.MaxInt64},
		{constantly(time.Second), 0, 0},
	} {
		if got := row.s.total(row.n); got != row.total {
			t.Errorf("%d delays: %s, want %s", row.n, got, row.total)
		}
	}
}

// emit for a fair lock and a recovery target sets how long a dead waiter keeps
// its place, from 3.46 on.
func TestRedissonFairEmitted(t *testing.T) {
	given := Values{"lockType": {Text: "fair"}}
	for version, fits := range map[string]bool{"3.45.1": false, "3.46": true, "4.2": true} {
		lib, err := Get("redisson@" + version)
		if err != nil {
			t.Fatal(err)
		}
		var places []string
		for _, v := range Variants(lib, given)[1:] {
			places = append(places, Millis.Format(v.(redisson).dead))
		}
		if got := strings.Join(places, " "); (got != "") != fits {
			t.Errorf("%s: emit may choose of %q", version, got)
		}
	}
}
