package library

import (
	"slices"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// goRedis is a lock by hand on go-redis: SET NX PX, scripts to renew and to
// release. Its client keys are shared by redsync and redislock.
type goRedis struct{ version }

// goRedisClient are redis.Options that decide how long one command takes.
var goRedisClient = []Key{
	{Name: "ReadTimeout", Unit: GoText, Default: "5s", Range: "above 0; -1 is none", Outside: "accepts", Round: "down", Doc: "reply to one try; 3s up to 9.21"},
	{Name: "WriteTimeout", Unit: GoText, Round: "down", Doc: "ReadTimeout when absent"},
	{Name: "DialTimeout", Unit: GoText, Default: "5s", Round: "down", Doc: "one try to connect, made up to five times"},
	{Name: "PoolTimeout", Unit: GoText, Round: "down", Doc: "for a free connection; ReadTimeout + 1s when absent"},
	{Name: "MaxRetries", Unit: Count, Default: "3", Range: "-1 is none", Doc: "resends of one command"},
	{Name: "MaxRetryBackoff", Unit: GoText, Default: "1s", Round: "down", Doc: "between two tries"},
	{Name: "ContextTimeoutEnabled", Unit: Switch, Default: "false", Doc: "whether a context's deadline ends a command"},
}

var goRedisSheet = Sheet{
	Name: "go-redis", Title: "go-redis by hand (SET NX PX and scripts)", Language: "go", Store: "redis",
	Versions: []string{"9.7", "9.22"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: append([]Key{
		{Name: "ttl", Unit: GoText, Range: "whole milliseconds, at least 1ms", Outside: "error", Round: "up", Doc: "PX of the SET"},
		{Name: "renewInterval", Unit: GoText, Round: "down", Doc: "between two renewals by script; absent is none"},
		{Name: "renewTimeout", Unit: GoText, Round: "down", Doc: "context of one renewal, which ContextTimeoutEnabled makes count"},
		{Name: "retryDelay", Unit: GoText, Round: "down", Doc: "between two tries to acquire"},
		{Name: "acquire", Unit: Word, Default: "set-nx-px", Range: "set-nx-px or setnx-expire", Doc: "setnx-expire leaves a lock for ever when the holder dies between the two"},
		{Name: "release", Unit: Word, Default: "script", Range: "script or del", Doc: "del removes the next owner's lock"},
	}, goRedisClient...),
	Renewal:         "the application's loop; a failed renewal is tried again at the next tick",
	Call:            "with ContextTimeoutEnabled the context; else (MaxRetries + 1) x (PoolTimeout + ReadTimeout) + the back-off between",
	Signal:          "the reply of the renewal",
	Fence:           "none; INCR a counter in the acquire script",
	MutualExclusion: "the lease; lost with an unreplicated write at a failover", NoDeadlock: "PX", OwnerOnly: "compare-and-delete script",
	Atomic: "SET NX PX in one command", Available: "Redis, with its failover",
	Reentrant: "nothing", Waiting: "polling by the application", Fair: "nothing",
	Crash: "PX", Outrun: "the application's renewals", JitterAtRelease: "the rest of PX blocks", Failover: "nothing: WAIT, or a unique index", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"one command takes at most every try and every back-off", "ReadTimeout 1 s, MaxRetries 3, frozen: 2.05 to 2.13 s of at most 7 s: the second try hangs in the handshake of a new connection, which is not tried again", "TestRealGoRedis"},
	},
	Code: map[string]string{"go": goRedisCode},
}

func (goRedis) Name() string  { return "go-redis" }
func (goRedis) Sheet() *Sheet { return &goRedisSheet }

// Traits: any lease in milliseconds.
func (goRedis) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond}
}

// Granted, FreeMin and FreeMax are PX.
func (goRedis) Granted(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }
func (goRedis) FreeMin(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }
func (goRedis) FreeMax(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }

// Loss is never signalled.
func (goRedis) Loss(time.Duration) (time.Duration, bool) { return 0, false }

// Read is the lease as the application runs it.
func (g goRedis) Read(run *Running) {
	run.Library = g
	lp525(run)
	manual(run, "ttl", "renewInterval", "renewTimeout")
	if d := run.Bound("retryDelay"); d.Known {
		run.Setup.RetryDelay = d
	}
}

// manual is a lease that the application renews through a go-redis client.
func manual(run *Running, ttlKey, intervalKey, callKey string) {
	ttl, interval := run.Bound(ttlKey), run.Bound(intervalKey)
	command := goRedisCommand(run, run.Bound(callKey))
	run.Setup.TTL, run.Setup.Renew, run.Setup.RenewTimeout = ttl, interval, command
	if clientKnown(run) {
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
	run.HasLease = true
	run.Lease = calc.Lease{TTL: ttl.Value.Truncate(time.Millisecond), Interval: interval.Value, Spacing: interval.Value}
	if interval.Known {
		run.Lease.Call = command.Value
		run.Lease.Spacing = max(interval.Value, command.Value)
	}
}

// clientKnown reports whether anything was said of the client: its defaults
// are no ground to call a wait too short.
func clientKnown(run *Running) bool {
	return slices.ContainsFunc(goRedisClient, func(k Key) bool { return run.Given(k.Name) })
}

// goRedisCommand is the longest time one command takes on a frozen server:
// the context where the client honours it, else every try and every wait.
func goRedisCommand(run *Running, ctx calc.Bound) calc.Bound {
	read := run.Bound("ReadTimeout")
	if !run.Given("ReadTimeout") && goRedisIsOld(run.Library) {
		read.Value = 3 * time.Second
	}
	if run.Bool("ContextTimeoutEnabled") && ctx.Known {
		run.set("command", f(ctx.Value))
		return ctx
	}
	retries := run.Int("MaxRetries")
	if retries > 1000 {
		run.fail(run.Values["MaxRetries"], "MaxRetries", fault.Usagef("%d is above 1000", retries))
	}
	retries = min(max(retries, 0), 1000)
	worst := calc.Compute(calc.Chain(read.Value, retries, run.Dur("MaxRetryBackoff")), "go-redis: every try and every back-off")
	worst.File, worst.Line = read.File, read.Line
	run.set("command", f(worst.Value))
	run.set("MaxRetries", strconv.Itoa(retries))
	return worst
}

func goRedisIsOld(lib Library) bool {
	g, ok := lib.(goRedis)
	return ok && g.before(9, 22)
}

// Express writes the lease and a client whose commands end with their
// context.
func (goRedis) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"ttl", GoText.Up(wholeMillis(ask.Lease.TTL)), "lease TTL"}}
	if ask.Lease.Renews() {
		out = append(out, Setting{"renewInterval", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "T / n"},
			Setting{"renewTimeout", GoText.Format(ask.call()), "one whole renewal"})
	} else {
		out = append(out, Setting{"renewTimeout", GoText.Format(ask.Attempt), "one command"})
	}
	if ask.Wait > 0 {
		out = append(out, Setting{"retryDelay", GoText.Format(pollEvery(ask)), "a tenth of the wait, at most 100 ms"})
	}
	return append(out, goRedisOptions(ask)...), nil
}

// goRedisOptions are client options that keep a command within its context.
func goRedisOptions(ask Ask) []Setting {
	return []Setting{
		{"ReadTimeout", GoText.Format(max(ask.Attempt.Truncate(time.Millisecond), time.Millisecond)), "one try"},
		{"MaxRetries", "1", "one resend; the script answers by owner"},
		{"MaxRetryBackoff", GoText.Format(min(ask.Attempt/10, 100*time.Millisecond).Truncate(time.Microsecond)), "before the resend"},
		{"ContextTimeoutEnabled", "true", "else a context's deadline does not end a command"},
	}
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

func wholeMillis(d time.Duration) time.Duration {
	if rest := d % time.Millisecond; rest != 0 {
		d += time.Millisecond - rest
	}
	return d
}

// pollEvery is a delay between tries: a tenth of the wait, 1 to 100 ms.
func pollEvery(ask Ask) time.Duration {
	return max(min(ask.Wait/10, 100*time.Millisecond).Truncate(time.Millisecond), time.Millisecond)
}

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
