package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
)

// goRedis is a lock by hand on go-redis: SET NX PX, scripts to renew and to
// release. Its client keys are shared by redsync and redislock.
type goRedis struct{ version }

var goRedisSheet = Sheet{
	Name: "go-redis", Title: "go-redis by hand (SET NX PX and scripts)", Language: "go", Store: "redis",
	Versions: []string{"9.23"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: append([]Key{
		{Name: "ttl", Unit: GoText, Range: "whole milliseconds, at least 1ms", Outside: "0 is no expiry, below 1ms becomes 1ms, fractions are cut", Round: "up", Doc: "PX of the SET"},
		{Name: "renewInterval", Unit: GoText, Round: "down", Doc: "between two renewals by script; absent is none"},
		{Name: "renewTimeout", Unit: GoText, Round: "down", Doc: "context of one renewal, which ContextTimeoutEnabled makes count"},
		{Name: "retryDelay", Unit: GoText, Round: "down", Doc: "between two tries to acquire"},
		{Name: "acquire", Unit: Word, Default: "set-nx-px", Range: "set-nx-px or setnx-expire", Doc: "setnx-expire leaves a lock for ever when the holder dies between the two"},
		{Name: "release", Unit: Word, Default: "script", Range: "script or del", Doc: "del removes the next owner's lock"},
	}, goRedisClient...),
	Renewal:         "the application's loop; a failed renewal is tried again at the next tick",
	Call:            "with ContextTimeoutEnabled the context; else the context and a ReadTimeout; without one MaxRetries + 1 tries of PoolTimeout + ReadTimeout, or of five DialTimeouts, and the back-off between",
	Signal:          "the reply of the renewal",
	Fence:           "none; INCR a counter in the acquire script",
	MutualExclusion: "the lease; lost with an unreplicated write at a failover", NoDeadlock: "PX", OwnerOnly: "compare-and-delete script",
	Atomic: "SET NX PX in one command", Available: "Redis, with its failover",
	Reentrant: "nothing", Waiting: "polling by the application", Fair: "nothing",
	Crash: "PX", Outrun: "the application's renewals", JitterAtRelease: "the rest of PX blocks", Failover: "nothing: WAIT, or a unique index", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"a SET with a lease of 0, or of KeepTTL, has no expiry; below 1 ms go-redis sends 1 ms, fractions are cut; below 0 Redis refuses", "at 9 leases: 0 and -1 ns: PTTL -1; 1 ns and 999 us: PX 1; 1.5005 s: PX 1500; -1 s: an error", "TestRealGoRedisEdges"},
		{"0 is the default, below 0 is none, for ReadTimeout, WriteTimeout, PoolTimeout, MaxRetries and MaxRetryBackoff; a DialTimeout below 0 lets no dial succeed", "as said, at 20 edges: MaxRetries 0 is 3, MaxRetryBackoff 0 is 1 s, DialTimeout -1: i/o timeout", "TestRealGoRedisEdges"},
		{"one command on a frozen server takes at most every try and every back-off", "ReadTimeout 300 ms, MaxRetries 3: 622 ms: the second try hangs in the handshake of a new connection, which is not tried again", "TestRealGoRedis"},
		{"a context ends a command with ContextTimeoutEnabled, else it may take a ReadTimeout more", "context 200 ms, ReadTimeout 500 ms: 201 ms, and 501 ms without", "TestRealGoRedis"},
		{"ReadTimeout -1 leaves the end to the context; -2 and others below 0 ignore it", "context 400 ms, ContextTimeoutEnabled: 401 ms at -1, no end at -2 and -5 s", "TestRealGoRedis"},
		{"behind a partition a try dials five times, 100 ms apart", "DialTimeout 100 ms, MaxRetries 1: 1.84 s; with a context of 200 ms: 212 ms", "TestRealGoRedis"},
	},
	Code: map[string]string{"go": goRedisCode},
}

func (goRedis) Name() string  { return "go-redis" }
func (goRedis) Sheet() *Sheet { return &goRedisSheet }

// Traits: any lease in milliseconds.
func (goRedis) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond}
}

// Granted, FreeMin and FreeMax are PX: below a millisecond go-redis sends 1.
func (goRedis) Granted(ttl time.Duration) time.Duration   { return goRedisPX(ttl) }
func (g goRedis) FreeMin(ttl time.Duration) time.Duration { return goRedisPX(ttl) }
func (g goRedis) FreeMax(ttl time.Duration) time.Duration { return goRedisPX(ttl) }

func goRedisPX(ttl time.Duration) time.Duration {
	if ttl > 0 && ttl < time.Millisecond {
		return time.Millisecond
	}
	return ttl.Truncate(time.Millisecond)
}

func (goRedis) tiny(ttl time.Duration) string {
	if ttl == 0 {
		return "a lease of 0 is a SET without an expiry: the lock stays for ever"
	}
	return "go-redis raises a lease of " + f(ttl) + " to 1ms"
}

// Loss is never signalled.
func (goRedis) Loss(time.Duration) (time.Duration, bool) { return 0, false }

// Read is the lease as the application runs it.
func (g goRedis) Read(run *Running) {
	run.Library = g
	lp525(run)
	manual(run, goRedisRead(run), "ttl", "renewInterval", "renewTimeout")
	run.Own.Endless = !run.Setup.Command.Known
	if wait, call := run.Setup.Wait, run.Setup.Command; wait.Known && call.Known { // the last try begins just before its end
		acquire := saturate(wait.Value, call.Value)
		run.Own.Acquire = &acquire
	}
	if d := run.Bound("retryDelay"); d.Known {
		run.Setup.RetryDelay = d
		run.Detect = run.polled(d.Value, 0, "retryDelay and a try")
	}
}

// manual is a lease that the application renews through a go-redis client.
func manual(run *Running, client goRedisLimits, ttlKey, intervalKey, callKey string) {
	ttl, interval := run.Bound(ttlKey), run.Bound(intervalKey)
	command := client.command(run.Bound(callKey))
	run.Setup.TTL, run.Setup.Renew, run.Setup.RenewTimeout = ttl, interval, command
	if !command.Known {
		lp527(run, client.unheard)
	} else {
		run.set("command", f(command.Value))
		run.Setup.Command, run.Setup.Unlock = command, command
	}
	for _, key := range []string{ttlKey, intervalKey, callKey} {
		if b := run.Bound(key); b.Known {
			run.set(key, f(b.Value))
		}
	}
	if !ttl.Known {
		return
	}
	lp520(run, ttlKey, ttl.Value)
	if ttl.Value == 0 {
		return // no lock, or one for ever
	}
	granted := run.Library.Granted(ttl.Value)
	run.set(ttlKey, f(granted))
	run.HasLease = true
	run.Lease = calc.Lease{TTL: granted, Interval: interval.Value, Spacing: interval.Value}
	if interval.Known {
		run.Lease.Call = command.Value
		if !command.Known {
			run.Lease.Call = granted
		}
		run.Lease.Spacing = max(interval.Value, run.Lease.Call)
	}
}

// Express writes the lease and a client whose commands end with their
// context.
func (goRedis) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"ttl", GoText.Up(wholeMillis(ask.Lease.TTL)), "lease TTL"}}
	if ask.Lease.Renews() {
		out = append(out, Setting{"renewInterval", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "lease TTL / ratio (T / n)"},
			Setting{"renewTimeout", GoText.Format(ask.call()), "one whole renewal"})
	} else {
		out = append(out, Setting{"renewTimeout", GoText.Format(ask.Attempt), "one command"})
	}
	if ask.Wait > 0 {
		out = append(out, Setting{"retryDelay", GoText.Format(pollEvery(ask)), "a tenth of the wait, at most 100 ms"})
	}
	return append(out, goRedisOptions(ask)...), nil
}

// call is the context of one command that both a renewal and an acquire
// within the wait allow.
func (a Ask) call() time.Duration {
	call := a.Lease.Call
	if a.Wait > 0 {
		call = min(call, a.Wait)
	}
	return call.Truncate(time.Microsecond)
}

func wholeMillis(d time.Duration) time.Duration { return calc.CeilTo(d, time.Millisecond) }

// pollEvery is a delay between tries: a tenth of the wait, 1 to 100 ms, and no
// longer than the plan's W holds.
func pollEvery(ask Ask) time.Duration {
	return max(min(ask.Wait/10, 100*time.Millisecond, pollRoom(ask)).Truncate(time.Millisecond), time.Millisecond)
}

// pollRoom is the longest delay that the plan's W holds.
func pollRoom(ask Ask) time.Duration { return max(0, ask.In.Detect.Value-roundTrip(ask.In)) }

// goRedisCode is the source file that emit writes.
const goRedisCode = goHead + `
	"github.com/redis/go-redis/v9"
)
` + goLimits + `
// {{.ID}}TTL is the PX of SET NX PX.
const {{.ID}}TTL = {{.Go "ttl"}}
{{if .Has "renewInterval"}}
// {{.ID}}RenewInterval is between two renewals by script.
const {{.ID}}RenewInterval = {{.Go "renewInterval"}}
{{end}}
// {{.ID}}CallTimeout is the context of one command.
const {{.ID}}CallTimeout = {{.Go "renewTimeout"}}

` + goRedisOptionsCode
