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
	px
	extend time.Duration // as configured; 0 before Read
}

var rueidislockSheet = Sheet{
	Name: "rueidislock", Title: "redis/rueidis rueidislock", Language: "go", Store: "redis",
	Versions: []string{"1.0.79"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: []Key{
		{Name: "KeyValidity", Unit: GoText, Default: "5s", Range: "whole milliseconds, at least 1ms", Outside: "0 and below are the default, fractions are cut", Round: "up", Signed: true, Doc: "the lease; a deadline of the acquire's context cuts it"},
		{Name: "ExtendInterval", Unit: GoText, Range: "below KeyValidity", Outside: "0 and below are half of KeyValidity; from KeyValidity on the lock is lost", Round: "down", Signed: true, Doc: "between two renewals; half of KeyValidity when absent"},
		{Name: "TryNextAfter", Unit: GoText, Default: "20ms", Range: "above a round trip", Outside: "0 and below are the default", Round: "up", Signed: true, Doc: "deadline of one key's command while acquiring, and the poll without caching"},
		{Name: "KeyMajority", Unit: Count, Default: "2", Range: "at least 1, the same in every process", Outside: "0 and below are the default", Doc: "2 is three keys; 1 for a single Redis"},
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
		{"0 and below are the defaults of KeyValidity, ExtendInterval, TryNextAfter and KeyMajority", "5 s, half of it, 20 ms and 2 (three keys), at 8 edges", "TestRealRueidislockEdges"},
		{"an ExtendInterval from KeyValidity on loses the lock", "500 ms of 500 ms: told after 512 ms; 700 ms: after 730 ms", "TestRealRueidislockEdges"},
		{"a deadline of the acquire's context is the lock's own", "500 ms of a KeyValidity of 5 s: PTTL 499 ms, told after 500 ms", "TestRealRueidislockEdges"},
		{"without caching a waiter polls every TryNextAfter, however many keys there are: a refused key ends a try", "1 s: 1.002 s with one key and with three", "TestRealTakeover"},
		{"with caching Redis tells a waiter up to 100 ms after a dead holder's lease", "100 ms left: 109 ms, whatever TryNextAfter", "TestRealTakeover"},
		{"without NoLoopTracking a held lock renews without pause", "148 000 commands in 2 s; 13 with NoLoopTracking", "TestRealRueidislock"},
	},
	Code: map[string]string{"go": rueidislockCode},
}

func (rueidislock) Name() string  { return "rueidislock" }
func (rueidislock) Sheet() *Sheet { return &rueidislockSheet }

// Traits: it always renews.
func (rueidislock) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, NoFixed: true, OneChance: true}
}

func (rueidislock) tiny(ttl time.Duration) string {
	return "a lease of " + f(ttl) + " is refused, or over before a reply comes"
}

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
	validity := unset(run, "KeyValidity", 5*time.Second)
	extend := unset(run, "ExtendInterval", validity.Value/2)
	r.extend = extend.Value
	run.Library = r
	run.Setup.TTL, run.Setup.Renew = validity, extend
	run.Setup.Attempt = unset(run, "TryNextAfter", 20*time.Millisecond)
	majority := run.Int("KeyMajority")
	if majority <= 0 {
		lp528(run, "KeyMajority", strconv.Itoa(majority), "2")
		majority = 2
	}
	run.set("KeyMajority", strconv.Itoa(majority))
	run.Detect = rueidislockPoll(run, majority)
	lp520(run, "KeyValidity", validity.Value)
	lp523(run)
	lp524(run, validity.Value, extend.Value)
	lp526(run, run.Setup.Attempt.Value)
	run.HasLease = true
	granted := r.Granted(validity.Value)
	run.renewsEvery(granted, extend.Value)
	run.oneChance()
	run.Own.Renewal = &granted
}

// redisExpiry is how late Redis, at its hz of 10, removes a key that nobody
// asks for, and tells who waits for it.
const redisExpiry = 100 * time.Millisecond

// rueidislockPoll is W: the notification, and a command for each key of the
// majority; without caching a poll, whose refused try gives back what it got.
func rueidislockPoll(run *Running, majority int) calc.Bound {
	try := calc.Chain(run.In.RTT.Value, majority-1, 0)
	if !run.Bool("DisableCache") {
		return run.polled(redisExpiry, try, "the notification and a try")
	}
	return run.polled(run.Setup.Attempt.Value, saturate(try, run.In.RTT.Value), "TryNextAfter and a try")
}

// unset is a duration that the locker takes for unset at 0 and below.
func unset(run *Running, key string, fallback time.Duration) calc.Bound {
	b := run.Bound(key)
	if !run.Given(key) || b.Value <= 0 {
		if run.Given(key) {
			lp528(run, key, f(b.Value), f(fallback))
		}
		b = calc.Compute(fallback, "default of rueidislock")
	}
	run.set(key, f(b.Value))
	return b
}

// Express renews at a third; a failure it cannot tolerate.
func (rueidislock) Express(ask Ask) ([]Setting, error) {
	if ask.In.Failures > 0 {
		return nil, fault.Usagef("rueidislock: one failed renewal gives the key up, %d failures are asked for", ask.In.Failures).
			Hintf("--failures 0, or --library redisson")
	}
	ttl := wholeMillis(ask.Lease.TTL)
	next := max(ask.Attempt, 2*ask.In.RTT.Value, time.Millisecond)
	out := []Setting{
		{"KeyValidity", GoText.Format(ttl), "lease TTL"},
		{"ExtendInterval", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "lease TTL / ratio (T / n)"},
		{"TryNextAfter", GoText.Format(wholeMillis(next)), "one attempt, above a round trip"},
		{"KeyMajority", "1", "one Redis; the same in every process"},
		{"NoLoopTracking", "true", "else a held lock renews itself without pause"},
		{"FallbackSETPX", "true", "the first lease by the server's clock"},
	}
	if ask.Wait > 0 {
		out = append(out, Setting{"application.acquireWait", GoText.Format(ask.Wait), "acquire wait (A): cancel the context then; a deadline of it would end the lock as well"})
	}
	return out, nil
}

// rueidislockCode is the source file that emit writes.
const rueidislockCode = `package locks

import (
{{- if .Has "application.acquireWait"}}
	"context"
{{- end}}
	"time"

	"github.com/redis/rueidis/rueidislock"
)

// Limits that the library does not keep.
const (
	// {{.ID}}StopWork is S: start no side effect later than this after the last
	// confirmed acquire or renewal was sent.
	{{.ID}}StopWork = {{.Go "application.stopWork"}}
	// {{.ID}}MaxHold ends a hold that is an exception.
	{{.ID}}MaxHold = {{.Go "application.maxHold"}}
{{- if .Has "application.acquireWait"}}
	// {{.ID}}AcquireWait ends the wait for the lock.
	{{.ID}}AcquireWait = {{.Go "application.acquireWait"}}
{{- end}}
)
{{if .Has "application.acquireWait"}}
// {{.ID}}Acquire waits for the lock for {{.ID}}AcquireWait. It cancels the
// context then instead of giving it a deadline: a deadline would end the lock
// as well.
func {{.ID}}Acquire(ctx context.Context, l rueidislock.Locker, name string) (context.Context, context.CancelFunc, error) {
	ctx, stop := context.WithCancel(ctx)
	timer := time.AfterFunc({{.ID}}AcquireWait, stop)
	held, release, err := l.WithContext(ctx, name)
	if err != nil || !timer.Stop() {
		stop()
		if err == nil {
			release()
			err = context.DeadlineExceeded
		}
		return nil, nil, err
	}
	return held, func() { release(); stop() }, nil
}
{{end}}
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
