package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// shedlock is ShedLock: a lock of scheduled jobs that never waits.
type shedlock struct {
	version
	px
	period time.Duration // of the schedule; 0 is not known
}

var shedlockSheet = Sheet{
	Name: "shedlock", Title: "ShedLock (Redis provider, KeepAliveLockProvider)", Language: "java", Store: "redis",
	Versions: []string{"6.10", "7.2"}, Formats: []string{"java", "properties", "yaml", "json", "env", "toml"},
	Keys: []Key{
		{Name: "lockAtMostFor", Unit: SimpleTx, Range: "above 0, at least lockAtLeastFor; 30s with KeepAlive", Outside: "error", Round: "up", Doc: "the lease", Other: []string{"defaultLockAtMostFor", "shedlock.defaults.lock-at-most-for"}},
		{Name: "lockAtLeastFor", Unit: SimpleTx, Default: "PT0S", Range: "at most lockAtMostFor", Outside: "error", Round: "up", Doc: "the lock stays at least so long, against clock skew between nodes", Other: []string{"defaultLockAtLeastFor", "shedlock.defaults.lock-at-least-for"}},
		{Name: "keepAlive", Shared: true, Unit: Switch, Default: "false", Doc: "KeepAliveLockProvider: extends every lockAtMostFor / 2"},
		{Name: "safeUpdate", Shared: true, Unit: Switch, Default: "false", Doc: "Redis provider from 6.7 on: compares the owner on unlock and extend"},
		{Name: "lockProvider", Shared: true, App: true, Unit: Word, Default: "redis", Range: "redis or other", Doc: "where the lock is kept: safeUpdate is an option of the Redis providers"},
		{Name: "period", Unit: SimpleTx, App: true, Doc: "longest time between two runs of the schedule: the takeover is not known without it"},
	},
	Renewal:         "KeepAlive: every lockAtMostFor / 2; an exception ends it silently",
	Call:            "the provider's client",
	Signal:          "none",
	Fence:           "none",
	MutualExclusion: "the lease, lockAtLeastFor against skew", NoDeadlock: "lockAtMostFor", OwnerOnly: "safeUpdate; without it nothing",
	Atomic: "SET NX PX", Available: "the provider's store",
	SkipsWait: true,
	Reentrant: "nothing", Waiting: "never: the run is skipped", Fair: "nothing",
	Crash: "lockAtMostFor and one period", Outrun: "KeepAlive; else a second run starts", JitterAtRelease: "the rest of lockAtMostFor skips runs", Failover: "nothing", EnteredTwice: "the second run is skipped",
	Facts: []Fact{
		{"KeepAlive ends silently at the first extension that throws", "30 s, 50 s long: 1 extension when it threw, 3 when not", "TestRealShedLockKeepAlive"},
		{"lockAtLeastFor above lockAtMostFor, and KeepAlive below 30 s, are refused", "as said, at 10 edges (7.2.1)", "TestRealJVM"},
		{"a duration is ISO-8601 or one whole number with one unit", "as said, at 21 edges; 1m30s, 1.5s and 2w are refused (6.10.0)", "TestRealSpring"},
		{"without safeUpdate a late unlock removes the next one's lock (LP546)", "as said; with safeUpdate it stays (Spring's Redis provider 6.10.0)", "TestRealSpring"},
	},
	Code: map[string]string{"java": shedlockCode},
}

func (shedlock) Name() string  { return "shedlock" }
func (shedlock) Sheet() *Sheet { return &shedlockSheet }

// Traits: planned as a fixed lease, since KeepAlive tolerates no failure.
func (shedlock) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, NoRenewed: true}
}

// Trigger is the period of the schedule: until its next run nobody asks for the
// lock again.
func (s shedlock) Trigger() calc.Bound {
	if s.period == 0 {
		return calc.Bound{Known: true, Unbounded: true, Kind: calc.Computed, Source: "the period of the schedule is not known"}
	}
	return calc.Compute(s.period, "the next run of the schedule")
}

// configured is the library with the period that the surroundings fix.
func (s shedlock) configured(given Values) Library {
	if d, err := SimpleTx.Parse(given["period"].Text); err == nil && d > 0 {
		s.period = d
	}
	return s
}

// Read holds the schedule against the lock.
func (s shedlock) Read(run *Running) {
	run.Library = s
	most, least, period := run.Bound("lockAtMostFor"), run.Bound("lockAtLeastFor"), run.Bound("period")
	keep := run.Bool("keepAlive")
	if most.Known {
		run.Setup.AtMost, run.Setup.TTL = most, most
		run.set("lockAtMostFor", f(most.Value))
	}
	if run.Given("lockAtLeastFor") {
		run.Setup.AtLeast = least
		run.set("lockAtLeastFor", f(least.Value))
	}
	if !period.Known {
		period = run.Setup.Period // --period
	}
	if period.Known {
		run.Setup.Period = period
		run.Detect = calc.Compute(period.Value, "the next run of the schedule")
	}
	if !most.Known {
		return
	}
	lp545(run, most.Value, least.Value, keep)
	lp546(run, s)
	run.HasLease = true
	run.Lease = calc.Lease{TTL: most.Value}
	run.NoRenewer = "no KeepAliveLockProvider"
	zero := time.Duration(0)
	run.Own.Acquire = &zero
	switch {
	case keep && most.Value < keepAliveLeast:
		run.NoRenewer = "KeepAliveLockProvider refuses a lock of " + f(most.Value)
	case keep:
		run.NoRenewer = ""
		run.renewsEvery(most.Value, most.Value/2)
		run.oneChance()
		run.Setup.RenewFixed, run.Own.CallUnknown = true, true
		lp547(run)
	}
}

// Express writes a fixed lease with owner checks.
func (s shedlock) Express(ask Ask) ([]Setting, error) {
	if ask.Lease.Renews() {
		return nil, fault.Usagef("shedlock: KeepAlive takes no lease below 30s and ends at the first failed renewal; a renewed lease cannot be planned on it").Hintf("--mode fixed, or --library redisson")
	}
	safe := Setting{"safeUpdate", "true", "else a late node removes another's lock"}
	if s.before(6, 7) {
		safe = Setting{"safeUpdate", "false", "the option exists from 6.7 on"}
	}
	out := []Setting{
		{"lockAtMostFor", SimpleTx.Up(ask.Lease.TTL), "lease TTL"},
		{"lockAtLeastFor", "PT0S", "raise it above the clock skew of the nodes, below the period"},
		safe,
		{"keepAlive", "false", "fixed lease"},
	}
	if v, given := ask.Given["period"]; given {
		out = append(out, Setting{"period", v.Text, "given"})
	}
	return out, nil
}

// shedlockCode is the source file that emit writes.
const shedlockCode = `package locks;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;

public final class {{.ID}}Lock {
` + javaLimits + `
    /** For @SchedulerLock. */
    public static final String LOCK_AT_MOST_FOR = "{{.Raw "lockAtMostFor"}}";
    public static final String LOCK_AT_LEAST_FOR = "{{.Raw "lockAtLeastFor"}}";
    /** For the provider's builder. */
    public static final boolean SAFE_UPDATE = {{.Raw "safeUpdate"}};

    private {{.ID}}Lock() {}

    public static LockConfiguration configuration(String name) {
        return new LockConfiguration(Instant.now(), name, Duration.parse(LOCK_AT_MOST_FOR), Duration.parse(LOCK_AT_LEAST_FOR));
    }
}
`
