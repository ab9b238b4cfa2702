package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// nodeRedlock is node-redlock 5 on ioredis.
//
// When an extend that fails is told depends on its retries, so the application
// keeps its own stop-work point.
type nodeRedlock struct {
	version
	px
}

var nodeRedlockSheet = Sheet{
	Name: "node-redlock", Title: "node-redlock 5 on ioredis", Language: "js", Store: "redis",
	Versions: []string{"5.0"}, Formats: []string{"js", "json", "yaml", "properties", "env", "toml"},
	Keys: []Key{
		{Name: "duration", Unit: Millis, Range: "whole milliseconds, above automaticExtensionThreshold + 100", Outside: "error", Round: "up", Doc: "the lease: argument of acquire and using"},
		{Name: "driftFactor", Unit: Factor, Default: "0.01", Doc: "share of the lease that is not counted on, and 2 ms"},
		{Name: "retryCount", Unit: Count, Default: "10", Range: "-1 is for ever", Doc: "of acquire, extend and release alike"},
		{Name: "retryDelay", Unit: Millis, Default: "200", Round: "down", Doc: "between two tries"},
		{Name: "retryJitter", Unit: Millis, Default: "100", Round: "down", Doc: "on top, at random"},
		{Name: "automaticExtensionThreshold", Unit: Millis, Default: "500", Range: "at most duration - 100", Outside: "error", Round: "up", Doc: "using() extends when so much is left"},
		{Name: "using", Unit: Switch, Default: "true", Doc: "using() renews; acquire() does not"},
		{Name: "commandTimeout", Unit: Millis, Range: "above 0; absent is for ever", Outside: "accepts", Round: "down", Doc: "ioredis: reply to one command"},
		{Name: "maxRetriesPerRequest", Unit: Count, Default: "20", Doc: "ioredis: resends after a reconnect"},
		{Name: "acquire", Unit: Word, Default: "redlock", Range: "redlock, set-nx-px or setnx-expire", Doc: "the others are by hand on ioredis or node-redis, and setnx-expire leaves a lock for ever when the holder dies between the two"},
		{Name: "release", Unit: Word, Default: "script", Range: "script or del", Doc: "del removes the next owner's lock"},
	},
	Renewal:         "using(): when automaticExtensionThreshold is left; a failed extend is tried again while the lease lasts",
	Call:            "(retryCount + 1) x commandTimeout + retryCount x (retryDelay + retryJitter)",
	Signal:          "the AbortSignal of using(), after the tries of an extend that began before the end",
	Fence:           "none",
	MutualExclusion: "the lease on a majority of servers", NoDeadlock: "the duration", OwnerOnly: "a random value and scripts",
	Atomic: "a script", Available: "a majority of independent servers",
	Reentrant: "nothing", Waiting: "retryCount polls; they use up the lease in 5.0.0-beta.2", Fair: "nothing",
	Crash: "the duration", Outrun: "using()", JitterAtRelease: "the rest of the duration blocks", Failover: "a majority of independent servers; with one server nothing", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"waiting counts against the lease, and so do the commands (LP565)", "lease of 1000 ms got after 700 ms: 261 ms left; with a retryCount of -1 after 1500 ms: -570 ms; by commands of 100 ms with 10 ms between: -697 ms", "TestRealNodeRedlock"},
		{"using() aborts late when its tries go on", "3000 ms, frozen, commandTimeout 200: 3.67 s with 10 retries, 2.92 s with 1; never without commandTimeout", "TestRealNodeRedlock"},
		{"whole milliseconds; threshold at most duration - 100", "as said, at 11 edges", "TestRealNodeRedlock"},
		{"a lock by hand has the lease of its set(), of ioredis' words or node-redis' options, or of the expire() behind it; a bare del() removes the next owner's lock (LP525)", "as said, at 9 calls (ioredis 5.8.2, @redis/client 6.3.1)", "TestRealByHand"},
	},
	Code: map[string]string{"js": nodeRedlockCode},
}

func (nodeRedlock) Name() string  { return "node-redlock" }
func (nodeRedlock) Sheet() *Sheet { return &nodeRedlockSheet }

// Traits: a failed extend is tried again at once.
func (nodeRedlock) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, MinTTL: 200 * time.Millisecond, Drift: calc.One / 100, RetryAfter: true}
}

// Read reckons one extend with its own tries, and the wait that eats the
// lease.
func (n nodeRedlock) Read(run *Running) {
	run.Library = n
	lp525(run)
	if takenByHand(run.Values) {
		n.readHand(run)
		return
	}
	ttl, threshold := run.Bound("duration"), run.Bound("automaticExtensionThreshold")
	count := run.Int("retryCount")
	if count > 100_000 || count < -1 {
		run.fail(run.Values["retryCount"], "retryCount", fault.Usagef("%d is not between -1 and 100000", count))
		return
	}
	run.In.Drift = max(run.In.Drift, run.Ratio("driftFactor"))
	if run.In.Drift >= calc.One {
		run.fail(run.Values["driftFactor"], "driftFactor", fault.Usagef("%s leaves no lease", run.In.Drift))
		return
	}
	pause, command := run.Dur("retryDelay")+run.Dur("retryJitter"), run.Bound("commandTimeout")
	answered := command.Known && command.Value > 0 // one command ends
	bounded := answered && count >= 0              // the tries end, too
	if answered {
		run.Setup.Command, run.Setup.Attempt = command, command
	} else {
		command.Value = run.In.RTT.Value // as a command that is answered takes
	}
	call := calc.Compute(calc.Chain(command.Value, max(count, 0), pause), "every try of one extend")
	call.File, call.Line = command.File, command.Line
	run.set("retryCount", strconv.Itoa(count))
	lp564(run, answered, count)
	run.Own.Endless = !bounded
	if bounded {
		run.Setup.RenewTimeout, run.Setup.Unlock = call, call
		run.Own.Acquire = &call.Value
	}
	run.Setup.TTL, run.Setup.Retries = ttl, max(count, 0)
	run.Setup.RetryDelay = calc.Compute(pause, "retryDelay + retryJitter")
	run.Detect = run.polled(pause, 0, "retryDelay + retryJitter and a try")
	if !run.Setup.Wait.Known && count >= 0 { // the tries are the wait
		run.Setup.Wait = calc.Compute(call.Value, "(retryCount + 1) x commandTimeout + the delays between")
		least := max(0, run.Dur("retryDelay")-run.Dur("retryJitter"))
		run.Setup.WaitLeast = calc.Compute(calc.Chain(0, count, least), "retryCount x (retryDelay - retryJitter)")
	}
	if !run.Bool("using") {
		run.NoRenewer = "acquire() does not extend, using() does"
	}
	if !ttl.Known {
		return
	}
	run.set("duration", Millis.Format(ttl.Value))
	run.set("drift", f(run.In.Drift.Of(ttl.Value)+2*time.Millisecond))
	lp520(run, "duration", ttl.Value)
	run.HasLease = true
	run.Lease = calc.Lease{TTL: ttl.Value}
	if !run.Bool("using") {
		run.lacks("work outruns the lease", "acquire() does not extend")
		lp565(run, ttl.Value, 0, call.Value, count)
		if !run.Setup.Spent.Known && count > 0 { // the lease counts from the first try
			run.Setup.Spent = calc.Compute(call.Value, "every try of one acquire")
		}
		return
	}
	run.set("automaticExtensionThreshold", Millis.Format(threshold.Value))
	if lp563(run, ttl.Value, threshold.Value) {
		return
	}
	interval := ttl.Value - run.In.Drift.Of(ttl.Value) - 2*time.Millisecond - threshold.Value
	run.Setup.Renew = calc.Compute(interval, "duration - drift - automaticExtensionThreshold")
	lp565(run, ttl.Value, threshold.Value, call.Value, count)
	if !bounded { // the lease is over before an extend is
		call.Value = ttl.Value
	}
	run.Lease.Interval, run.Lease.Call, run.Lease.Spacing = interval, call.Value, call.Value
}

// readHand is a lock by hand: nothing renews it, takes a drift off it or tries
// again.
func (nodeRedlock) readHand(run *Running) {
	if !run.In.DriftGiven {
		run.In.Drift = 0
	}
	ttl, command := run.Bound("duration"), run.Bound("commandTimeout")
	if command.Known && command.Value > 0 {
		run.Setup.Command, run.Setup.Attempt, run.Setup.Unlock = command, command, command
	}
	if !ttl.Known {
		return
	}
	run.set("duration", Millis.Format(ttl.Value))
	if ttl.Value == 0 {
		run.lacks("no deadlock", "a SET without PX or EX")
		run.lacks("owner crashes", "a SET without PX or EX")
		run.sayLimit(LP520, "duration", 0, time.Millisecond, "a SET without PX or EX has no expiry: the lock of a dead holder stays for ever", "PX with the lease")
		return
	}
	run.Setup.TTL, run.HasLease, run.Lease = ttl, true, calc.Lease{TTL: ttl.Value}
}

// Express extends when two thirds are left, by an instance with few tries.
func (nodeRedlock) Express(ask Ask) ([]Setting, error) {
	ttl := wholeMillis(ask.Lease.TTL)
	out := []Setting{{"duration", Millis.Format(ttl), "lease TTL"}, {"driftFactor", "0.01", "the default"}}
	budget := ask.Attempt
	if ask.Lease.Renews() {
		budget = ask.Lease.Call
	}
	if ask.Wait > 0 {
		budget = min(budget, ask.Wait)
	}
	delay := min(budget/10, pollRoom(ask)).Truncate(time.Millisecond)
	command := ((budget - delay) / 2).Truncate(time.Millisecond)
	count := 1
	if command < max(ask.In.RTT.Value, time.Millisecond) {
		command, count, delay = budget.Truncate(time.Millisecond), 0, 0
	}
	if command < time.Millisecond {
		return nil, fault.Usagef("node-redlock: a call of %s is below a millisecond", f(budget)).Hintf("a larger --margin")
	}
	out = append(out,
		Setting{"retryCount", strconv.Itoa(count), "tries of one extend; acquire with an instance of its own to wait longer"},
		Setting{"retryDelay", Millis.Format(delay), "between two tries"},
		Setting{"retryJitter", "0", "in the delay"},
		Setting{"commandTimeout", Millis.Format(command), "ioredis: one try"},
		Setting{"maxRetriesPerRequest", "0", "ioredis: the tries are redlock's"})
	if !ask.Lease.Renews() {
		return append(out, Setting{"using", "false", "acquire(): no renewal"}, Setting{"automaticExtensionThreshold", "0", "not used"}), nil
	}
	// I = T - drift - 2 ms - threshold; drift rounds up here, so I rounds down.
	drift := (calc.One / 100).Of(ttl) + 2*time.Millisecond
	threshold := wholeMillis(ttl - drift - ask.Lease.Interval)
	if threshold > ttl-100*time.Millisecond {
		return nil, fault.Usagef("node-redlock: a lease of %s is too short to be extended every %s", f(ttl), f(ask.Lease.Interval)).
			Hintf("a lease of at least %s", f(400*time.Millisecond))
	}
	return append(out, Setting{"using", "true", "renews"},
		Setting{"automaticExtensionThreshold", Millis.Format(threshold), "lease T less drift and a renewal interval (T - drift - T / n)"}), nil
}

// nodeRedlockCode is the source file that emit writes.
const nodeRedlockCode = `// Options of new Redlock(clients, settings).
export const settings = {
  driftFactor: {{.Raw "driftFactor"}},
  retryCount: {{.Raw "retryCount"}},
  retryDelay: {{.Ms "retryDelay"}}, // ms
  retryJitter: {{.Ms "retryJitter"}}, // ms
  automaticExtensionThreshold: {{.Ms "automaticExtensionThreshold"}}, // ms
};

// Options of new Redis(…).
export const client = {
  commandTimeout: {{.Ms "commandTimeout"}}, // ms
  maxRetriesPerRequest: {{.Raw "maxRetriesPerRequest"}},
};

// Argument of redlock.{{if eq (.Raw "using") "true"}}using{{else}}acquire{{end}}, ms.
export const duration = {{.Ms "duration"}};

// Limits that the library does not keep, ms.
export const stopWork = {{.Ms "application.stopWork"}};
{{- if .Has "application.maxHold"}}
export const maxHold = {{.Ms "application.maxHold"}};
{{- end}}
{{- if .Has "application.unlockRetry"}}
export const unlockRetry = {{.Ms "application.unlockRetry"}}; // try a failed release again for so long
{{- end}}
{{- if .Has "application.acquireWait"}}
export const acquireWait = {{.Ms "application.acquireWait"}}; // acquire again for so long
{{- end}}
`
