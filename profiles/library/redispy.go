package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// redisPy is redis-py's Lock.
type redisPy struct {
	version
	px
	grown  time.Duration // beyond the lease, by extend(); dur.Max has no bound
	growth string        // what of
}

var redisPySheet = Sheet{
	Name: "redis-py", Title: "redis-py Lock (also django-redis' cache.lock)", Language: "python", Store: "redis",
	Versions: []string{"5.2", "6.4", "7.0", "8.1"}, Formats: []string{"py", "yaml", "json", "properties", "env", "toml"},
	Keys: []Key{
		{Name: "timeout", Unit: Decimal, Range: "at least 0.001; None or 0 never expires", Outside: "below 0.001 an error of the server", Round: "up", Doc: "the lease"},
		{Name: "sleep", Unit: Decimal, Default: "0.1", Round: "down", Doc: "between two tries"},
		{Name: "blocking_timeout", Unit: Decimal, Wait: true, Range: "above sleep, else one try", Outside: "accepts", Round: "down", Doc: "the wait; None is for ever"},
		{Name: "thread_local", Unit: Switch, Default: "True", Doc: "another thread cannot see the token"},
		{Name: "reacquire_every", Unit: Decimal, Round: "down", Doc: "the application's reacquire(); absent is none"},
		{Name: "extend_replaces_ttl", Unit: Switch, Default: "true", Doc: "false: the application renews by extend(timeout), which adds to what is left unless replace_ttl=True"},
		{Name: "extend_by", Unit: Decimal, Range: "at least 0.001", Doc: "what extend() is given, where it is not timeout, or where nothing says how far apart its calls are"},
		{Name: "socket_timeout", Unit: Decimal, Range: "above 0; None is for ever", Outside: "0 fails every command whose answer is not there at once, below 0 is an error", Round: "down", Doc: "reply to one try; 5 from 8.0 on, none before"},
		{Name: "socket_connect_timeout", Unit: Decimal, Range: "above 0; None is the socket_timeout", Outside: "accepts", Round: "down", Doc: "one try to connect; 5 from 8.0 on, the socket_timeout before"},
		{Name: "retries", Unit: Count, Doc: "of the client's Retry; 10 from 8.0 on, 3 in 6 and 7, none before"},
		{Name: "retry_backoff_cap", Unit: Decimal, Round: "down", Doc: "longest back-off between two tries; 1 from 8.0 on, 10 in 6 and 7"},
		{Name: "acquire", Unit: Word, Default: "lock", Range: "lock, set-nx-px or setnx-expire", Doc: "lock is redis-py's own; the others are by hand, and setnx-expire leaves a lock for ever when the holder dies between the two"},
		{Name: "release", Unit: Word, Default: "script", Range: "script or del", Doc: "del removes the next owner's lock"},
	},
	Renewal:         "none by itself: the application calls reacquire()",
	Call:            "(retries + 1) x socket_timeout + the back-off between, and each resend connects anew in up to (retries + 1) x socket_connect_timeout + the back-off between; without a socket_timeout for ever",
	Signal:          "LockNotOwnedError from reacquire() and release()",
	Fence:           "none",
	MutualExclusion: "the lease; lost with an unreplicated write at a failover", NoDeadlock: "timeout, when it is given", OwnerOnly: "a random token and scripts",
	Atomic: "SET NX PX", Available: "Redis, with its failover",
	Reentrant: "nothing", Waiting: "polling every sleep, up to blocking_timeout", Fair: "nothing",
	Crash: "timeout, when it is given", Outrun: "the application's reacquire()", JitterAtRelease: "the rest of the timeout blocks", Failover: "nothing: WAIT, or a unique index", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"None and 0 never expire, below a millisecond the server refuses", "as said, at 10 edges (8.1.0)", "TestRealRedisPy"},
		{"defaults of 8: socket_timeout and socket_connect_timeout 5 s, 10 retries, at most 1 s between: 715 s a command where nobody answers any more", "the settings as said (8.1.0)", "TestRealRedisPy"},
		{"each resend connects anew, and tries that as often as the command; a new connection is tried so, too", "300 ms a reply, 500 ms to connect, 2 retries 100 ms apart, a server that vanished: 3916 ms of 3.9 s on a connection that stood, 1708 ms without one; the same in 6.4.0 and 7.0.1; 5.2.1 resends nothing after a timeout, 305 ms", "TestRealRedisPy"},
		{"defaults before 8: no socket_timeout, 3 retries at most 10 s apart in 6 and 7, none in 5", "as said (5.2.1, 6.4.0, 7.0.1)", "TestRealRedisPyVersions"},
		{"what else is refused: negative times", "as said, at 10 edges", "TestRealRedisPy"},
		{"a socket_timeout of None is for ever, 0 does not wait at all", "a server that never answers: None still waits after 2 s, 0 fails after 2 ms; by hand, where the answer is quick 0 works now and then, a third of 100 commands on a busy machine", "TestRealRedisPy"},
		{"blocking_timeout gives up before a sleep that would cross it", "1 s with sleep 0.3: 903 ms", "TestRealRedisPy"},
		{"extend() adds to what is left (LP566)", "extend(10) of 10 s leaves 20 s, the fifth 60 s; reacquire() 10 s", "TestRealRedisPy"},
		{"a lock by hand has the lease of its set(), by name or by place, or of the expire() behind it; a bare delete() removes the next owner's lock (LP525)", "as said, at 8 calls (8.1.0)", "TestRealByHand"},
		{"a frozen server takes every try and every back-off", "3 x 300 ms + 2 x 100 ms: 1137 ms", "TestRealRedisPy"},
		{"the same in older versions", "1112 ms (6.4.0), 1125 ms (7.0.1); 301 ms (5.2.1), which did not try the timeout again: lockplan counts the tries", "TestRealRedisPyVersions"},
	},
	Code: map[string]string{"py": redisPyCode},
}

func (redisPy) Name() string  { return "redis-py" }
func (redisPy) Sheet() *Sheet { return &redisPySheet }

// Traits: seconds with three decimals.
func (redisPy) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, MinTTL: time.Millisecond}
}

// FreeMax is the key's PX with what extends made of it.
func (p redisPy) FreeMax(ttl time.Duration) time.Duration { return saturate(ttl, p.grown) }

// TakeoverTerms says what extends make of it.
func (p redisPy) TakeoverTerms() string {
	if p.grown == 0 {
		return ""
	}
	return p.growth
}

// Read knows the client's defaults by version: no socket timeout at all
// before 8.0.
func (p redisPy) Read(run *Running) {
	run.Library = p
	ttl, every := run.Bound("timeout"), run.Bound("reacquire_every")
	command, bounded := p.command(run)
	if bounded {
		run.Setup.RenewTimeout = command
		run.set("command", f(command.Value))
		run.Setup.Command, run.Setup.Unlock = command, command
	}
	lp525(run)
	lp561(run, bounded)
	run.Setup.TTL, run.Setup.Renew = ttl, every
	if !takenByHand(run.Values) || run.Given("sleep") { // the default is the own lock's
		run.Setup.RetryDelay = run.Bound("sleep")
		run.Detect = run.polled(run.Setup.RetryDelay.Value, 0, "sleep and a try")
	}
	if wait := run.Bound("blocking_timeout"); wait.Known {
		run.Setup.Wait = wait
		lp562(run, wait.Value)
	}
	run.Own.Endless = !bounded
	if wait := run.Setup.Wait; wait.Known && bounded { // the last try begins just before its end
		acquire := saturate(wait.Value, command.Value)
		run.Own.Acquire = &acquire
	}
	if lp560(run, ttl) {
		return
	}
	run.set("timeout", Decimal.Format(ttl.Value))
	run.HasLease = true
	run.Lease = calc.Lease{TTL: ttl.Value, Interval: every.Value, Spacing: every.Value}
	if every.Known {
		run.Lease.Call = command.Value
		run.Lease.Spacing = max(every.Value, command.Value)
		if !bounded {
			run.Lease.Call = ttl.Value
		}
	}
	p.extended(run, ttl, every)
	run.Library = p
}

// command is one command's worst time on a frozen server; ok is false where
// nothing bounds it.
func (p redisPy) command(run *Running) (calc.Bound, bool) {
	socket := run.Bound("socket_timeout") // not known where it is None, too: for ever
	retries, limit := 10, time.Second
	switch {
	case p.before(6, 0):
		retries, limit = 0, 0
	case p.before(8, 0):
		retries, limit = 3, 10*time.Second
	}
	if !socket.Known && !run.Given("socket_timeout") && !p.before(8, 0) {
		socket = calc.Assume(5*time.Second, "default of redis-py 8")
	}
	if run.Given("retries") {
		retries = run.Int("retries")
	}
	if retries < 0 || retries > 1000 {
		run.fail(run.Values["retries"], "retries", fault.Usagef("%d is not between 0 and 1000", retries))
		retries = 0
	}
	if b := run.Bound("retry_backoff_cap"); b.Known {
		limit = b.Value
	}
	run.set("retries", strconv.Itoa(retries))
	connect := run.Bound("socket_connect_timeout")
	switch {
	case connect.Known:
	case run.Given("socket_connect_timeout") || p.before(8, 0): // None
		connect = socket
	default:
		connect = calc.Assume(5*time.Second, "default of redis-py 8")
	}
	run.set("socket_connect_timeout", Decimal.Format(connect.Value))
	if socket.Known && socket.Value > 0 {
		run.Setup.Reply = socket
	}
	worst := calc.Compute(redisPyWorst(socket.Value, connect.Value, retries, limit), "redis-py: every try, every connection and every back-off")
	worst.File, worst.Line = socket.File, socket.Line
	return worst, socket.Known && socket.Value > 0
}

// redisPyWorst is one command whose server is gone: on a connection that stood
// each resend first connects, which is tried as often; without one that alone
// fails.
func redisPyWorst(reply, connect time.Duration, retries int, delay time.Duration) time.Duration {
	again := calc.Chain(calc.Chain(connect, retries, delay), retries-1, 0)
	return max(saturate(calc.Chain(reply, retries, delay), again), calc.Chain(saturate(reply, connect), retries, delay))
}

// Express writes the keyword arguments and the client's own limits.
func (redisPy) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"timeout", Decimal.Up(ask.Lease.TTL), "lease TTL"}}
	budget := ask.Attempt
	if ask.Lease.Renews() {
		out = append(out, Setting{"reacquire_every", Decimal.Down(ask.Lease.Interval), "lease TTL / ratio (T / n), in the application"})
		budget = ask.Lease.Call
	}
	if ask.Wait > 0 {
		out = append(out, Setting{"sleep", Decimal.Down(pollEvery(ask)), "a tenth of the wait, at most 100 ms"},
			Setting{"blocking_timeout", Decimal.Down(ask.Wait), "acquire wait (A)"})
		budget = min(budget, ask.Wait)
	}
	delay := (budget / 20).Truncate(time.Millisecond)
	socket := ((budget - 2*delay) / 4).Truncate(time.Millisecond) // two replies and two connections
	retries := "1"
	if least := max(ask.In.RTT.Value, time.Millisecond); socket < least {
		socket, retries, delay = max(budget/2, min(least, budget)).Truncate(time.Millisecond), "0", 0
	}
	if socket < time.Millisecond {
		return nil, fault.Usagef("redis-py: a call of %s is below a millisecond", f(budget)).Hintf("a larger --margin")
	}
	return append(out,
		Setting{"socket_timeout", Decimal.Format(socket), "one try"},
		Setting{"socket_connect_timeout", Decimal.Format(socket), "one try to connect, before a resend"},
		Setting{"retries", retries, "resends of one command"},
		Setting{"retry_backoff_cap", Decimal.Format(delay), "before a resend"},
		Setting{"extend_replaces_ttl", "true", "extend() alone makes the lease grow"}), nil
}

// redisPyCode is the source file that emit writes.
const redisPyCode = `from redis.backoff import ConstantBackoff
from redis.retry import Retry

# Arguments of redis.Redis.
CLIENT = {
    "socket_timeout": {{.Sec "socket_timeout"}},
    "socket_connect_timeout": {{.Sec "socket_connect_timeout"}},
    "retry": Retry(ConstantBackoff({{.Sec "retry_backoff_cap"}}), {{.Raw "retries"}}),
}

# Arguments of client.lock.
LOCK = {
    "timeout": {{.Sec "timeout"}},
{{- if .Has "sleep"}}
    "sleep": {{.Sec "sleep"}},
    "blocking_timeout": {{.Sec "blocking_timeout"}},
{{- end}}
}
{{if .Has "reacquire_every"}}
# Seconds between two calls of lock.reacquire().
REACQUIRE_EVERY = {{.Sec "reacquire_every"}}
{{end}}
# Limits that the library does not keep, in seconds.
STOP_WORK = {{.Sec "application.stopWork"}}
{{- if .Has "application.maxHold"}}
MAX_HOLD = {{.Sec "application.maxHold"}}
{{- end}}
{{- if .Has "application.unlockRetry"}}
UNLOCK_RETRY = {{.Sec "application.unlockRetry"}}  # try a failed release() again for so long
{{- end}}
`
