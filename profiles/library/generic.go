package library

import (
	"strconv"

	"github.com/lockplan/lockplan/calc"
)

// generic is a lock of no particular library, as `check --ttl …` describes it
// and as a service reads it from a neutral file.
type generic struct{ calc.Generic }

var genericSheet = Sheet{
	Name: "generic", Title: "any lock with a TTL", Language: "any", Store: "any",
	Formats: []string{"yaml", "json", "properties", "env", "toml"},
	Keys: []Key{
		{Name: "ttl", Unit: GoText, Round: "up", Doc: "the lease"},
		{Name: "renewInterval", Unit: GoText, Round: "down", Doc: "I; absent is a fixed lease"},
		{Name: "renewTimeout", Unit: GoText, Round: "down", Doc: "worst time of one whole renew call; the margin, at most half the interval, when absent"},
		{Name: "renewBackoff", Unit: GoText, Round: "down", Doc: "wait after a failed renewal; the next tick when absent"},
		{Name: "acquireWait", Unit: GoText, Round: "down", Wait: true, Doc: "how long to queue for the lock"},
		{Name: "retryDelay", Unit: GoText, Round: "down", Doc: "between two attempts to acquire"},
		{Name: "retries", Unit: Count, Doc: "of an attempt to acquire"},
		{Name: "attemptTimeout", Unit: GoText, Round: "down", Doc: "of one attempt to acquire"},
	},
	Renewal:         "as configured: the next tick, or after the back-off, when a renewal failed",
	Call:            "as configured",
	Signal:          "none is assumed",
	Fence:           "none is assumed",
	MutualExclusion: "the lease, while T covers hold, pause and margin", NoDeadlock: "the TTL", OwnerOnly: "nothing: the application compares an owner value",
	Atomic: "nothing: the application takes lock and TTL in one command", Available: "the lock service",
	Reentrant: "nothing", Waiting: "polling by the application", Fair: "nothing",
	Crash: "the TTL", Outrun: "renewals, else the stop-work point", JitterAtRelease: "the TTL", Failover: "nothing", EnteredTwice: "nothing: idempotency of the application",
}

func (generic) Sheet() *Sheet { return &genericSheet }

// Read takes the values as they are.
func (g generic) Read(run *Running) {
	run.Library = g
	ttl := run.Bound("ttl")
	run.Setup.TTL, run.Setup.Renew, run.Setup.RenewTimeout = ttl, run.Bound("renewInterval"), run.Bound("renewTimeout")
	run.Setup.RetryDelay, run.Setup.Attempt, run.Setup.Retries = run.Bound("retryDelay"), run.Bound("attemptTimeout"), run.Int("retries")
	if d := run.Setup.RetryDelay; d.Known {
		run.Detect = run.polled(d.Value, 0, "retryDelay and a try")
	}
	if wait := run.Bound("acquireWait"); wait.Known {
		run.Setup.Wait = wait
	}
	for _, key := range g.Sheet().Keys {
		if run.Given(key.Name) && key.Unit.IsTime() {
			run.set(key.Name, f(run.Dur(key.Name)))
		}
	}
	if run.Given("retries") {
		run.set("retries", strconv.Itoa(run.Setup.Retries))
	}
	if a := run.Setup.Attempt; a.Known && !run.Setup.Command.Known {
		defer func() { // of an acquire, not of a renewal
			run.Setup.Command = a
			run.Setup.Command.Value = calc.Chain(a.Value, run.Setup.Retries, run.Setup.RetryDelay.Value)
		}()
	}
	if !ttl.Known {
		return
	}
	run.HasLease = true
	l := calc.Lease{TTL: ttl.Value, Interval: run.Setup.Renew.Value, Spacing: run.Setup.Renew.Value}
	if l.Renews() {
		l.Call = min(run.In.Margin.Value, l.Interval/2)
		if !run.Setup.RenewTimeout.Known {
			run.Setup.RenewTimeout = run.Setup.Command // a renewal is a call like any other
		}
		if run.Setup.RenewTimeout.Known {
			l.Call = run.Setup.RenewTimeout.Value
		}
		l.Spacing = max(l.Spacing, l.Call) // the next tick waits for the call
		if b := run.Bound("renewBackoff"); b.Known {
			l.Backoff, l.Spacing = b.Value, l.Call+b.Value
		}
	}
	run.Lease = l
}

// Express writes the lease in Go's text.
func (generic) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"ttl", GoText.Up(ask.Lease.TTL), "lease TTL"}}
	if ask.Lease.Renews() {
		out = append(out, Setting{"renewInterval", GoText.Down(ask.Lease.Interval), "lease TTL / ratio (T / n)"},
			Setting{"renewTimeout", GoText.Down(ask.Lease.Call), "one whole renew call"})
		if ask.Lease.Spacing != ask.Lease.Interval {
			out = append(out, Setting{"renewBackoff", GoText.Down(ask.Lease.Backoff), "after a failed renewal"})
		}
	}
	if ask.Wait > 0 {
		out = append(out, Setting{"acquireWait", GoText.Down(ask.Wait), "acquire wait (A)"}, Setting{"attemptTimeout", GoText.Down(ask.Attempt), "one attempt"})
	}
	return out, nil
}
