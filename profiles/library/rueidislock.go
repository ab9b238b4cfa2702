package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// rueidislock is redis/rueidis' locker: it always renews, and one failed
// renewal call gives a key up.
type rueidislock struct {
	version
	extend time.Duration // as configured; 0 before Read
}

var rueidislockSheet = Sheet{
	Name: "rueidislock", Title: "redis/rueidis rueidislock", Language: "go", Store: "redis",
	Versions: []string{"1.0.76"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: []Key{
		{Name: "KeyValidity", Unit: GoText, Default: "5s", Range: "whole milliseconds", Outside: "accepts", Round: "up", Doc: "the lease"},
		{Name: "ExtendInterval", Unit: GoText, Range: "below KeyValidity", Outside: "accepts", Round: "down", Doc: "between two renewals; half of KeyValidity when absent"},
		{Name: "TryNextAfter", Unit: GoText, Default: "20ms", Range: "above a round trip", Outside: "accepts", Round: "up", Doc: "deadline of one key's command while acquiring, and the poll without caching"},
		{Name: "KeyMajority", Unit: Count, Default: "2", Range: "the same in every process", Doc: "2 is three keys; 1 for a single Redis"},
		{Name: "NoLoopTracking", Unit: Switch, Default: "false", Doc: "false makes a held lock renew itself without pause (needs Redis 7.0.5)"},
		{Name: "DisableCache", Unit: Switch, Default: "false", Doc: "ClientOption of the client"},
		{Name: "FallbackSETPX", Unit: Switch, Default: "false", Doc: "the first acquire by relative time"},
	},
	Renewal:         "every ExtendInterval; one failed call gives that key up, the client resends inside it until now + KeyValidity",
	Call:            "KeyValidity: the context of one renewal",
	Signal:          "the context ends, up to ExtendInterval after the lease on a frozen server",
	Fence:           "none",
	MutualExclusion: "the lease, on a majority of keys, judged by the client's wall clock (PXAT)", NoDeadlock: "KeyValidity", OwnerOnly: "a random value and scripts",
	Atomic: "SET NX PXAT", Available: "Redis, with its failover",
	Reentrant: "nothing", Waiting: "the caller's context; woken by client-side caching", Fair: "nothing",
	Crash: "KeyValidity", Outrun: "renewals for ever: the caller's context is the maximum hold", JitterAtRelease: "the rest of KeyValidity blocks", Failover: "nothing: WAIT, or a unique index", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"the context ends up to ExtendInterval after the lease", "KeyValidity 2 s, ExtendInterval 1 s, frozen right after a renewal: 3.00 s", "TestRealRueidislock"},
		{"without NoLoopTracking a held lock renews without pause", "148 000 commands in 2 s; 13 with NoLoopTracking", "TestRealRueidislock"},
	},
	Code: map[string]string{"go": rueidislockCode},
}

func (rueidislock) Name() string  { return "rueidislock" }
func (rueidislock) Sheet() *Sheet { return &rueidislockSheet }

// Traits: it always renews.
func (rueidislock) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, NoFixed: true}
}

// Granted, FreeMin and FreeMax are the keys' expiry.
func (rueidislock) Granted(ttl time.Duration) time.Duration { return ttl }
func (rueidislock) FreeMin(ttl time.Duration) time.Duration { return ttl }
func (rueidislock) FreeMax(ttl time.Duration) time.Duration { return ttl }

// Loss is the context's end: the call that fails has a context of a whole
// lease from when it was sent.
func (r rueidislock) Loss(ttl time.Duration) (time.Duration, bool) {
	if r.extend == 0 {
		return ttl + ttl/3, true
	}
	return ttl + r.extend, true
}

// Read reckons with calls that may take a whole lease.
func (r rueidislock) Read(run *Running) {
	validity, extend := run.Bound("KeyValidity"), run.Bound("ExtendInterval")
	if !extend.Known || extend.Value == 0 {
		extend = calc.Compute(validity.Value/2, "half of KeyValidity")
	}
	r.extend = extend.Value
	run.Library = r
	run.Setup.TTL, run.Setup.Renew = validity, extend
	run.Setup.Attempt = run.Bound("TryNextAfter")
	run.set("KeyValidity", f(validity.Value))
	run.set("ExtendInterval", f(extend.Value))
	run.set("TryNextAfter", f(run.Setup.Attempt.Value))
	majority := run.Int("KeyMajority")
	run.set("KeyMajority", strconv.Itoa(majority))
	lp523(run)
	lp524(run, validity.Value, extend.Value)
	lp526(run)
	run.HasLease = true
	run.Lease = calc.Lease{TTL: validity.Value, Interval: extend.Value, Call: min(run.In.Margin.Value, extend.Value/2), Spacing: extend.Value}
	failures := min(0, run.Lease.FailuresTolerated(run.In.Env()))
	outage := time.Duration(0)
	run.Survives.Failures, run.Survives.Outage = &failures, &outage
}

// Express renews at a third; a failure it cannot tolerate.
func (rueidislock) Express(ask Ask) ([]Setting, error) {
	if ask.In.Failures > 0 {
		return nil, fault.Usagef("rueidislock: one failed renewal gives the key up, %d failures are asked for", ask.In.Failures).
			Hintf("--failures 0, or --library redisson")
	}
	ttl := wholeMillis(ask.Lease.TTL)
	next := max(ask.Attempt, 2*ask.In.RTT.Value, time.Millisecond)
	return []Setting{
		{"KeyValidity", GoText.Format(ttl), "lease TTL"},
		{"ExtendInterval", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "T / n"},
		{"TryNextAfter", GoText.Format(wholeMillis(next)), "one attempt, above a round trip"},
		{"KeyMajority", "1", "one Redis; the same in every process"},
		{"NoLoopTracking", "true", "else a held lock renews itself without pause"},
		{"FallbackSETPX", "true", "the first lease by the server's clock"},
	}, nil
}

// rueidislockCode is the source file that emit writes.
const rueidislockCode = goHead + `
	"github.com/redis/rueidis/rueidislock"
)
` + goLimits + `
// {{.ID}}Locker sets the timing of a locker.
func {{.ID}}Locker(o *rueidislock.LockerOption) {
	o.KeyValidity = {{.Go "KeyValidity"}}
	o.ExtendInterval = {{.Go "ExtendInterval"}}
	o.TryNextAfter = {{.Go "TryNextAfter"}}
	o.KeyMajority = {{.Raw "KeyMajority"}}
	o.NoLoopTracking = {{.Raw "NoLoopTracking"}}
	o.FallbackSETPX = {{.Raw "FallbackSETPX"}}
}
`
