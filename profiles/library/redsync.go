package library

import (
	"fmt"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// redsync is go-redsync/redsync on go-redis.
type redsync struct {
	version
	px
}

var redsyncSheet = Sheet{
	Name: "redsync", Title: "go-redsync/redsync v4 on go-redis", Language: "go", Store: "redis",
	Versions: []string{"4.18"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: append([]Key{
		{Name: "WithExpiry", Unit: GoText, Default: "8s", Range: "whole milliseconds, at least 1ms", Outside: "below it Lock fails, fractions are cut", Round: "up", Doc: "the lease", Other: []string{"expiry"}},
		{Name: "WithTries", Unit: Count, Default: "32", Range: "at least 1", Outside: "0 and below fail at once", Doc: "of Lock", Other: []string{"tries"}},
		{Name: "WithRetryDelay", Unit: GoText, Default: "250ms", Range: "0 and above", Outside: "below 0 is 0", Round: "down", Doc: "between two tries; 50 to 250 ms at random when absent", Other: []string{"retryDelay"}},
		{Name: "WithDriftFactor", Unit: Factor, Default: "0.01", Range: "0 to below 1", Outside: "1 fails; below 0 Until() is past the lease", Doc: "share of the lease that is not counted on", Other: []string{"driftFactor"}},
		{Name: "WithTimeoutFactor", Unit: Factor, Default: "0.05", Range: "above 0", Outside: "0 and below fail at once", Doc: "share of the lease that one try may take, where the client honours a context", Other: []string{"timeoutFactor"}},
		{Name: "WithSetNXOnExtend", Unit: Switch, Default: "false", Doc: "Extend takes a lock again that has run out; from 4.12 on"},
		{Name: "extendEvery", Unit: GoText, Round: "down", Doc: "the application's Extend; absent is none"},
		{Name: "extendTimeout", Unit: GoText, Round: "down", Doc: "context of one Extend: redsync sets none"},
	}, goRedisClient...),
	Renewal:         "none by itself: the application calls Extend; it has one try",
	Call:            "a try: expiry x timeoutFactor, twice with the clean-up, where ContextTimeoutEnabled; Extend and Unlock have only the caller's context",
	Signal:          "the reply of Extend; Until()",
	Fence:           "none",
	MutualExclusion: "the lease on a majority of servers", NoDeadlock: "the expiry", OwnerOnly: "a random value and scripts",
	Atomic: "SET NX PX", Available: "a majority of independent servers",
	Reentrant: "nothing", Waiting: "WithTries polls", Fair: "nothing",
	Crash: "the expiry", Outrun: "the application's Extend", JitterAtRelease: "the rest of the expiry blocks", Failover: "a majority of independent servers; with one server nothing", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"a try is bounded by the timeoutFactor only where go-redis honours the context, else by that and a ReadTimeout; its clean-up takes as long again", "frozen server, expiry 8 s: 0.80 s with ContextTimeoutEnabled; 10.0 s without, at the ReadTimeout of 5 s", "TestRealRedsync"},
		{"WithTries below 1, a timeout factor of 0, a drift factor of 1 and a lease below 1 ms: Lock fails", "as said, at 9 edges", "TestRealRedsyncEdges"},
		{"a waiter refused just before a dead holder's lease ends owns the lock a delay and a try later", "1 s: 1.012 s; a try may take expiry x timeoutFactor", "TestRealTakeover"},
		{"Extend takes a lock again that another had in between, by WithSetNXOnExtend alone (LP531)", "as said (4.18.1)", "TestRealRedsync"},
		{"a drift factor below 0 is taken: Until() is past the lease", "-0.5 of 8 s: Until() in 12.0 s", "TestRealRedsyncEdges"},
	},
	Code: map[string]string{"go": redsyncCode},
}

func (redsync) Name() string  { return "redsync" }
func (redsync) Sheet() *Sheet { return &redsyncSheet }

// Traits: drift is redsync's own factor.
func (redsync) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, Drift: calc.One / 100}
}

func (redsync) tiny(ttl time.Duration) string {
	return "a lease of " + f(ttl) + " is over before a reply comes: Lock fails"
}

// Read reckons the try budget, which is the wait, by whether the client ends
// a command with its context.
func (r redsync) Read(run *Running) {
	run.Library = r
	expiry, factor := run.Dur("WithExpiry"), run.Ratio("WithTimeoutFactor")
	tries, delay := run.Int("WithTries"), run.Bound("WithRetryDelay")
	run.In.Drift = max(run.In.Drift, run.Ratio("WithDriftFactor"))
	if tries > 100_000 || run.In.Drift >= calc.One {
		run.fail(run.Values["WithTries"], "WithTries, WithDriftFactor", fault.Usagef("%d tries at a drift of %s cannot be reckoned with: Lock fails", tries, run.In.Drift))
		return
	}
	lp531(run)
	client := goRedisRead(run)
	manual(run, client, "WithExpiry", "extendEvery", "extendTimeout")
	own := calc.Compute(factor.Of(expiry), "WithExpiry x WithTimeoutFactor")
	try := client.command(own)
	lp521(run, tries, own.Value, try)
	run.set("WithTries", strconv.Itoa(max(tries, 0)))
	run.set("WithRetryDelay", f(delay.Value))
	run.set("WithDriftFactor", run.Ratio("WithDriftFactor").String())
	run.set("WithTimeoutFactor", factor.String())
	run.set("try", f(own.Value))
	tries = max(tries, 0)
	run.Setup.RetryDelay, run.Setup.Retries = delay, max(tries-1, 0)
	run.Detect = run.polled(delay.Value, max(own.Value, redsyncRefused(run.In)), "WithRetryDelay and a try")
	if !run.Setup.Wait.Known { // the tries are the wait: what they poll for when every reply is quick
		run.Setup.Wait = calc.Compute(calc.Chain(0, max(tries-1, 0), delay.Value), fmt.Sprintf("%d tries", tries))
		least := delay.Value
		if !run.Given("WithRetryDelay") {
			least = redsyncLeastDelay
		}
		run.Setup.WaitLeast = calc.Compute(calc.Chain(0, max(tries-1, 0), least), fmt.Sprintf("%d delays of at least %s", max(tries-1, 0), f(least)))
	}
	if !try.Known {
		run.Own.Endless = true
		return // LP527 says it
	}
	run.Setup.Attempt, run.Setup.Command = try, try // what stands inside the wait; Extend and Unlock stand outside
	acquire := time.Duration(0)
	if tries > 0 {
		acquire = calc.Chain(saturate(try.Value, try.Value), tries-1, delay.Value)
	}
	run.Own.Acquire = &acquire
}

// redsyncLeastDelay is the least of the random delays between two tries.
const redsyncLeastDelay = 50 * time.Millisecond

// redsyncRefused is a try that finds the lock taken and takes back what it has,
// which comes before the delay, less the round trip that C5 adds.
func redsyncRefused(in calc.Inputs) time.Duration {
	return saturate(in.RTT.Value, (in.RTT.Value+1)/2)
}

// Express spends the wait on tries that the client really ends in time.
func (redsync) Express(ask Ask) ([]Setting, error) {
	ttl := wholeMillis(ask.Lease.TTL)
	attempt := ask.Attempt
	tries := 1
	delay := time.Millisecond
	if ask.Wait > 0 {
		delay = max(min(pollEvery(ask)/2, ask.In.Detect.Value-redsyncRefused(ask.In)).Truncate(time.Millisecond), time.Millisecond)
		// A try that fails is cleaned up by a release of the same length.
		attempt = min(attempt, ask.Wait/4)
		if room := ask.In.Detect.Value - delay; room > roundTrip(ask.In) { // a poll takes the delay and a try
			attempt = min(attempt, room)
		}
		tries = max(1, int((ask.Wait+delay)/(2*attempt+delay)))
	}
	// Ten-thousandths of the lease, rounded down; integers from end to end.
	share := attempt / max(ttl/10_000, 1)
	factor := max(calc.Ratio(share), 1) * (calc.One / 10_000)
	out := []Setting{
		{"WithExpiry", GoText.Format(ttl), "lease TTL"},
		{"WithTries", strconv.Itoa(tries), "that fit into the wait"},
		{"WithRetryDelay", GoText.Format(delay), "a twentieth of the wait, at most 50 ms"},
		{"WithDriftFactor", "0.01", "the default"},
		{"WithTimeoutFactor", factor.String(), "one try, as a share of the lease"},
	}
	if ask.Lease.Renews() {
		out = append(out, Setting{"extendEvery", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "lease TTL / ratio (T / n), in the application"},
			Setting{"extendTimeout", GoText.Format(ask.call()), "one Extend"})
	} else {
		out = append(out, Setting{"extendTimeout", GoText.Format(ask.Attempt), "one Unlock"})
	}
	return append(out, goRedisOptions(ask)...), nil
}

// redsyncCode is the source file that emit writes.
const redsyncCode = goHead + `
	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"
)
` + goLimits + `
// {{.ID}}Options are those of redsync.NewMutex.
func {{.ID}}Options() []redsync.Option {
	return []redsync.Option{
		redsync.WithExpiry({{.Go "WithExpiry"}}),
		redsync.WithTries({{.Raw "WithTries"}}),
		redsync.WithRetryDelay({{.Go "WithRetryDelay"}}),
		redsync.WithDriftFactor({{.Raw "WithDriftFactor"}}),
		redsync.WithTimeoutFactor({{.Raw "WithTimeoutFactor"}}),
	}
}
{{if .Has "extendEvery"}}
// {{.ID}}ExtendEvery is between two calls of ExtendContext.
const {{.ID}}ExtendEvery = {{.Go "extendEvery"}}
{{end}}
// {{.ID}}CallTimeout is the context of one Extend and of Unlock: redsync sets none.
const {{.ID}}CallTimeout = {{.Go "extendTimeout"}}

` + goRedisOptionsCode
