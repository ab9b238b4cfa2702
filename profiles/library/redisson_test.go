package library

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Cases row R15 (redisson/redisson#1604): the watchdog of 3.5 to 3.7 renews a
// read lock and not its readers. By 3.5.0 with a watchdog of 3 s: a reader alone
// keeps the lock for 5 s; of two, the second's release lets a writer in.
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

// Before 3.44 a failed renewal is the last (TestRealRedissonWatchdog): no lease
// tolerates one, and a plan that asks for none survives no outage.
func TestRedissonLastChance(t *testing.T) {
	for name, want := range map[string][2]bool{ // solved with no failure, with one
		"redisson@3.2": {true, false}, "redisson@3.43": {true, false}, "redisson@3": {true, false},
		"redisson@3.44": {true, true}, "redisson@4.2": {true, true}, "redisson": {true, true},
	} {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for failures, solved := range want {
			in, err := calc.Inputs{Library: lib, Hold: calc.Claim(40*time.Second, "t"), Pause: calc.Claim(1500*time.Millisecond, "t"),
				Margin: calc.Claim(700*time.Millisecond, "t"), Mode: calc.Renewed, Failures: failures, FailuresGiven: true}.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			s := calc.Solve(in)
			if s.Solved != solved {
				t.Errorf("%s with %d failures: solved %v, want %v", name, failures, s.Solved, solved)
			}
			if outage := s.Lease.OutageSurvived(in.Env()); s.Solved && !want[1] && outage != 0 {
				t.Errorf("%s survives an outage of %s", name, outage)
			}
		}
	}
}

// The block of a mode says the mode, whatever is in it: a command also waits
// for the replicas, up to slavesSyncTimeout. 5 sends of 3 + 1 s.
func TestRedissonModeOfLists(t *testing.T) {
	lib, err := Get("redisson@3.52")
	if err != nil {
		t.Fatal(err)
	}
	for file, rows := range map[string]map[string]string{
		"r.yaml": {
			"clusterServersConfig:\n  nodeAddresses: [\"redis://p:7000\"]\nlockWatchdogTimeout: 100000\n":         "cluster",
			"clusterServersConfig:\n  nodeAddresses:\n  - \"redis://p:7000\"\n":                                   "cluster",
			"replicatedServersConfig:\n  nodeAddresses: [\"redis://p:7000\"]\nlockWatchdogTimeout: 100000\n":      "replicated",
			"sentinelServersConfig:\n  sentinelAddresses: [\"redis://p:7000\"]\nlockWatchdogTimeout: 100000\n":    "sentinel",
			"masterSlaveServersConfig:\n  slaveAddresses: []\nlockWatchdogTimeout: 100000\n":                      "masterSlave",
			"singleServerConfig:\n  address: \"redis://p:7000\"\nlockWatchdogTimeout: 100000\n":                   "single",
			"spring.redis.redisson.config: |\n  clusterServersConfig:\n    nodeAddresses: [\"redis://p:7000\"]\n": "cluster",
		},
		"r.json": {`{"clusterServersConfig": {"nodeAddresses": ["redis://p:7000"]}, "lockWatchdogTimeout": 100000}`: "cluster"},
		"r.toml": {"lockWatchdogTimeout = 100000\n[clusterServersConfig]\nnodeAddresses = [\"redis://p:7000\"]\n": "cluster"},
	} {
		for text, mode := range rows {
			values, err := Parse(lib, file, []byte(text))
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
			if err != nil {
				t.Fatal(err)
			}
			want := 27 * time.Second
			if mode == "single" {
				want -= 5 * time.Second
			}
			if got := *v.Consequences.Call; v.Run.Effective["mode"] != mode || got != want {
				t.Errorf("%s: mode %s, one call %s; want %s, %s", text, v.Run.Effective["mode"], got, mode, want)
			}
		}
	}
}

// Measured on a frozen server (TestRealRedissonFrozen): 2.01 to 2.08 s, of which
// the settings say 1.4 s. LP303, the table and JSON's call_worst_seconds have the
// seven timers of 100 ms; renew_call_seconds is the article's 1400 ms.
func TestRedissonLateCall(t *testing.T) {
	article := []string{"timeout=200", "retryAttempts=3", "retryInterval=200", "--work=1ms", "--reply=0s", "--confirm=0s"}
	for deadline, want := range map[string]string{"1.5s": "error", "2.081s": "error", "2101ms": "error", "2102ms": ""} {
		v := judged(t, "redisson@3.47", append(article, "--deadline="+deadline)...)
		if got := severityOf(v, "LP303"); got != want {
			t.Errorf("a deadline of %s: %q, want %q", deadline, got, want)
		}
		if c := v.Consequences; *c.Call != 1400*time.Millisecond || *c.CallWorst != 2100*time.Millisecond || v.Run.Lease.Call != *c.CallWorst {
			t.Errorf("one call: %s by the settings, %s with late timers, LP108 has %s", *c.Call, *c.CallWorst, v.Run.Lease.Call)
		}
	}
	v := judged(t, "redisson@3.47", append(article, "leaseTime=5000", "--deadline=1.5s")...)
	if got := severityOf(v, "LP303"); got != "error" || *v.Consequences.Call != 1400*time.Millisecond {
		t.Errorf("a fixed lease: %q, %s", got, *v.Consequences.Call)
	}
}

// Measured with 4.2.0 in mode masterSlave, timeout 200 ms, 3 retries 200 ms
// apart, slavesSyncTimeout 1 s, its replica frozen: one tryLock() took 9145 ms.
func TestRedissonFrozenReplica(t *testing.T) {
	const seen = 9145 * time.Millisecond
	for mode, waits := range map[string]bool{"single": false, "masterSlave": true, "replicated": true, "sentinel": true, "cluster": true} {
		v := judged(t, "redisson@4.2", "mode="+mode, "timeout=200", "retryAttempts=3", "retryDelay="+constantDelay("PT0.2S"), "slavesSyncTimeout=1000",
			"--deadline=9.145s", "--work=1ms", "--reply=0s", "--confirm=0s")
		if got := severityOf(v, "LP303"); (got == "error") != waits {
			t.Errorf("mode %s: LP303 is %q", mode, got)
		}
		if worst, unlock := *v.Consequences.CallWorst, v.Run.Setup.Unlock.Value; (worst >= seen && unlock >= seen) != waits {
			t.Errorf("mode %s: one call %s, an unlock %s; seen %s", mode, worst, unlock, seen)
		}
	}
	// 4 tries and 4 undos of (0.2 + 1) s, three delays of 0.2 + 0.1 s.
	v := judged(t, "redisson@4.2", "mode=masterSlave", "timeout=200", "retryAttempts=3", "retryDelay="+constantDelay("PT0.2S"), "waitTime=1000")
	if got := *v.Consequences.AcquireWorst; got != 21*time.Second {
		t.Errorf("tryLock(1 s) takes up to %s", got)
	}
}

// research/libs-redis.md 2.5: RFencedLock from 3.19 on has a token, no other
// lock has; --fencing yes says that the resource checks one.
func TestRedissonFencing(t *testing.T) {
	for _, row := range []struct{ library, kind, fencing, want string }{
		{"redisson@3.19", "fenced", "yes", ""},
		{"redisson@4.2", "fenced", "yes", ""},
		{"redisson@3.18", "fenced", "yes", "info"},
		{"redisson@4.2", "plain", "yes", "info"},
		{"redisson@4.2", "fair", "yes", "info"},
		{"redisson@4.2", "fenced", "no", "warning"},
	} {
		if got := severityOf(judged(t, row.library, "lockType="+row.kind, "--fencing="+row.fencing), "LP114"); got != row.want {
			t.Errorf("%s %s, --fencing %s: %q, want %q", row.library, row.kind, row.fencing, got, row.want)
		}
	}
	for library, want := range map[string]string{"etcd": "", "zookeeper": "", "consul": "", "redis-py": "info", "shedlock": "info", "generic": ""} {
		if got := severityOf(judged(t, library, "--fencing=yes"), "LP114"); got != want {
			t.Errorf("%s, --fencing yes: %q, want %q", library, got, want)
		}
	}
}
