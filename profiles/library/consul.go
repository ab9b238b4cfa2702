package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// consul is a Consul session with a TTL under its Go API's Lock.
type consul struct {
	version
	delay    time.Duration // LockDelay as configured; 0 is the server's default, below 0 none
	checks   bool          // the session hangs on a health check, too
	election time.Duration // of a new leader that is reckoned with
}

const (
	consulDelay = 15 * time.Second // default LockDelay
	consulMost  = time.Minute      // longest LockDelay that counts
	consulPoll  = 5 * time.Second  // DefaultLockRetryTime
)

var consulSheet = Sheet{
	Name: "consul", Title: "HashiCorp Consul session and api.Lock", Language: "go", Store: "consul",
	Versions: []string{"1.13"}, Formats: []string{"go", "json", "yaml", "properties", "env", "toml"},
	Keys: []Key{
		{Name: "SessionTTL", Unit: GoText, Default: "15s", Range: "session_ttl_min (10s) to 24h, h, m, s and ms", Outside: "error; 0 is a session without a TTL", Round: "up", Doc: "the lease; the server frees at twice of it", Other: []string{"TTL"}},
		{Name: "LockDelay", Unit: GoText, Default: "15s", Range: "1ms to 60s, whole milliseconds", Outside: "0 is not sent by the Go API and is 15s, below 0 is none, above is cut silently", Signed: true, Doc: "nobody gets the lock for so long after a forced release"},
		{Name: "LockWaitTime", Unit: GoText, Default: "15s", Outside: "0 is the default", Round: "down", Wait: true, Doc: "the wait, with LockTryOnce"},
		{Name: "LockTryOnce", Unit: Switch, Default: "false", Doc: "false waits for ever"},
		{Name: "MonitorRetries", Unit: Count, Default: "0", Doc: "tries of the monitor after a server error"},
		{Name: "MonitorRetryTime", Unit: GoText, Default: "2s", Outside: "0 is the default", Doc: "between them"},
		{Name: "session_ttl_min", Unit: GoText, Default: "10s", Doc: "of the servers"},
		{Name: "SessionOpts.TTL", Unit: GoText, Range: "as SessionTTL", Outside: "as SessionTTL; absent from SessionOpts is a session without a TTL", Doc: "LockOptions.SessionOpts replaces SessionTTL and LockDelay in the session that is made; SessionTTL still times the first renewal"},
		{Name: "SessionOpts.LockDelay", Unit: GoText, Range: "as LockDelay", Outside: "as LockDelay", Signed: true, Doc: "of the same session"},
		{Name: "http", Unit: Switch, Default: "false", Doc: "the session is the body of PUT /v1/session/create: there a LockDelay of 0 is none, a bare number below 1000 is seconds and any other nanoseconds, and one without TTL has none"},
		{Name: "renewer", Unit: Switch, Default: "true", Doc: "whether something renews the session, as RenewPeriodic does; api.Lock does so for its own, and of one by HTTP it has to be said"},
		{Name: "healthChecks", Unit: Switch, Default: "true", Doc: "whether the session hangs on serfHealth or another check, which can end it before the TTL; api.Lock's own does, one of CreateNoChecks does not"},
	},
	Renewal:         "every TTL/2; a failed one every second until the TTL has passed since the last success",
	Call:            "the HTTP client's",
	Signal:          "the leader channel, by the monitor: at once when connected; never on a hung connection, the API has no timeout",
	Fence:           "LockIndex with the session",
	MutualExclusion: "the session, twice the TTL and LockDelay", NoDeadlock: "the session's TTL", OwnerOnly: "the session id",
	Atomic: "a raft write", Available: "a majority of servers",
	Reentrant: "nothing", Waiting: "long polls of LockWaitTime, for ever unless LockTryOnce", Fair: "nothing",
	Crash: "2 x TTL + LockDelay", Outrun: "RenewPeriodic, as long as the process lives", JitterAtRelease: "2 x TTL + LockDelay block", Failover: "the quorum; every TTL starts anew", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"the server frees at twice the TTL, and api.Lock's waiter comes up to 5 s later", "TTL 10 s, LockDelay 1 ms, no renewal: free after 20.0 s, the waiter had it after 25.0 s (Consul 1.13.9)", "TestRealConsul"},
		{"the TTL is 10 s to 24 h; 0 is a session without one", "9.999999999 s and 1 ns above 24 h refused, 10 s and 24 h taken, 0 kept as 0", "TestRealConsulEdges"},
		{"LockDelay keeps the lock from everybody after a forced release, and at most 60 s of it count", "2 s: 2.0 s after the session was destroyed. By hand, with sessions of 10 s that ended: 15 s: 15.0 s, 60 s: 60.0 s, 90 s: 60.0 s, \"0s\" by HTTP: at once (Consul 1.13.9)", "TestRealConsul"},
		{"the Go API cannot send a LockDelay of 0", "0 is left out of the request and is 15 s to the server; 1 ns is sent as 1 ms, -1 ns as 0 ms, which is no delay (api 1.34.5)", "TestRealConsulEdges"},
		{"the body of PUT /v1/session/create: a LockDelay of 0 is none, below 1000 a number is seconds, else nanoseconds; an empty Checks or NodeChecks takes serfHealth away", "as said, of 17 bodies (Consul 1.13.9)", "TestRealConsulEdges"},
		{"SessionOpts make the session, SessionTTL times its first renewal (LP623)", "SessionTTL 2 s, SessionOpts.TTL 10 s: a session of 10 s, renewed first after 1.01 s (api 1.34.5)", "TestRealConsul"},
		{"RenewPeriodic renews at TTL/2, after a failure every second, until the TTL has passed since the last success", "TTL 2 s, failing from 2.5 s on: calls at 1.0, 2.0, 3.0, 4.0 s, then it gives up", "TestRealConsul"},
		{"a session without a word about checks hangs on serfHealth (LP622), one of CreateNoChecks on none", "the check set to critical with a LockDelay of 1 s: the lock could be had 1.01 s later; the session without checks lived on (Consul 1.13.9)", "TestRealConsul"},
		{"LockTryOnce gives up after LockWaitTime and a sixteenth", "1 s: 1.02 to 1.04 s; by hand 15 s: 15.92 s", "TestRealConsulEdges"},
		{"on a hung connection nothing tells the holder", "by hand: TTL 10 s, the server stopped by SIGSTOP: the leader channel still open after 296 s (api 1.34.0)", ""},
		{"a new leader starts every TTL anew", "by hand: TTL 10 s, the leader of three servers killed after 15 s, a new one after 31.8 s: session gone 20.0 s later (Consul 1.13.9)", ""},
	},
	Code: map[string]string{"go": consulCode},
}

func (consul) Name() string  { return "consul" }
func (consul) Sheet() *Sheet { return &consulSheet }

// Traits: renewed at a half, tried again every second.
func (consul) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Second, IntervalQuantum: time.Millisecond, MinTTL: 10 * time.Second, MaxTTL: 24 * time.Hour,
		NoFixed: true, Ratio: 2 * calc.One, RetryAfter: true, Backoff: time.Second, Fencing: true}
}

// lockDelay is what counts of LockDelay: the API sends whole milliseconds, at
// least one, and none for what is below 0.
func (c consul) lockDelay() time.Duration {
	switch {
	case c.delay == 0:
		return consulDelay
	case c.delay < 0:
		return 0
	}
	return min(max(c.delay.Truncate(time.Millisecond), time.Millisecond), consulMost)
}

// configured is the library with the lock delay that the surroundings fix.
func (c consul) configured(given Values) Library {
	if d, err := GoText.Parse(given["LockDelay"].Text); err == nil {
		c.delay = d
	}
	return c
}

// Granted is the TTL: the server's word is a lower bound.
func (consul) Granted(ttl time.Duration) time.Duration { return ttl }

// FreeMin is the server's timer, twice the TTL, and the lock delay; a health
// check can fail at any time and leaves the lock delay alone.
func (c consul) FreeMin(ttl time.Duration) time.Duration {
	if c.checks {
		return c.lockDelay()
	}
	return c.timer(ttl)
}

// timer is when the TTL alone frees the lock.
func (c consul) timer(ttl time.Duration) time.Duration {
	return saturate(saturate(ttl, ttl), c.lockDelay())
}

// FreeMax adds the sleep of a waiter while the lock delay runs. A leader that
// is lost just before the TTL has passed twice has a successor that starts it
// anew.
func (c consul) FreeMax(ttl time.Duration) time.Duration {
	return saturate(anew(saturate(ttl, ttl), c.election), saturate(c.lockDelay(), consulPoll))
}

// TakeoverTerms says what a stated failover adds.
func (c consul) TakeoverTerms() string {
	if c.election == 0 {
		return ""
	}
	return "failover + 2 x 2 x TTL + LockDelay + 5s: a leader lost just before the end, and the next one starts the TTL anew"
}

// Loss has no bound on a hung connection; what there is counts as none.
func (consul) Loss(time.Duration) (time.Duration, bool) { return 0, false }

// Read reckons with the server's doubling and the client's retries.
func (c consul) Read(run *Running) {
	first, ttl, delay := c.session(run)
	c.delay = delay.Value
	if run.Bool("http") && delay.Value == 0 {
		c.delay = -1 // the server's own reading of it
	}
	c.checks, c.election = run.Bool("healthChecks"), run.Setup.Failover.Value
	run.Library = c
	run.Setup.TTL = ttl
	run.set("SessionTTL", GoText.Format(ttl.Value))
	run.set("LockDelay", GoText.Format(c.lockDelay()))
	asGo(run, "SessionTTL")
	poll := zeroIs(run, "LockWaitTime", 15*time.Second)
	zeroIs(run, "MonitorRetryTime", 2*time.Second)
	lp620(run, ttl.Value)
	lp621(run, delay)
	if ttl.Value == 0 {
		return // a session without a TTL
	}
	lp622(run, c)
	lp623(run, first.Value, ttl.Value)
	run.HasLease = true
	run.Lease = calc.Lease{TTL: ttl.Value}
	run.NoRenewer = "nothing calls RenewPeriodic"
	run.Detect = calc.Compute(0, "the waiter's sleep is in the lag")
	if run.Bool("LockTryOnce") {
		run.Setup.Wait = poll
		worst := poll.Value + poll.Value/16 + consulPoll
		run.Own.Acquire = &worst
	} else if stop := run.Bound("application.acquireWait"); stop.Known {
		worst := stop.Value + poll.Value + poll.Value/16
		run.Own.Acquire = &worst
	}
	if !lp624(run) {
		run.lacks("work outruns the lease", "nobody renews")
	} else {
		run.NoRenewer = ""
		run.renewsEvery(ttl.Value, max(first.Value, ttl.Value)/2)
		run.Lease.Backoff, run.Lease.Spacing = time.Second, run.Lease.Call+time.Second
		run.Skip = append(run.Skip, "LP107") // said there
		run.Own.CallUnknown = true
	}
	clean := run.In.RTT.Value + run.In.Margin.Value
	run.Own.Clean = &clean
}

// session is the session that the lock makes: what first times the first
// renewal, and what it asks of the server, which SessionOpts replaces.
func (consul) session(run *Running) (first, ttl, delay calc.Bound) {
	first, ttl, delay = run.Bound("SessionTTL"), run.Bound("SessionTTL"), run.Bound("LockDelay")
	switch {
	case run.Given("SessionOpts.TTL") || run.Given("SessionOpts.LockDelay"):
		ttl, delay = run.Bound("SessionOpts.TTL"), run.Bound("SessionOpts.LockDelay")
		run.set("SessionOpts.TTL", f(ttl.Value))
		if !delay.Known {
			delay = calc.Assume(consulDelay, "default of the server")
		}
	case run.Bool("http") && !run.Given("SessionTTL"):
		first, ttl = calc.Bound{}, calc.Bound{}
	}
	return first, ttl, delay
}

// zeroIs is a duration of which the API takes 0 for unset.
func zeroIs(run *Running, key string, fallback time.Duration) calc.Bound {
	b := run.Bound(key)
	if run.Given(key) && b.Value == 0 {
		lp528(run, key, "0", f(fallback))
		b = calc.Compute(fallback, "default of the API")
	}
	run.set(key, f(b.Value))
	return b
}

// Express rounds up to whole seconds.
func (c consul) Express(ask Ask) ([]Setting, error) {
	ttl := calc.CeilTo(ask.Lease.TTL, time.Second)
	delay := c.lockDelay()
	if delay == 0 {
		delay = -1 // the API leaves a 0 out
	}
	out := []Setting{
		{"SessionTTL", GoText.Format(ttl), "lease TTL; the server frees at twice of it"},
		{"LockDelay", GoText.Format(delay), "a late holder meets no new one for so long"},
		{"MonitorRetries", "3", "a server error is not yet a loss"},
		{"MonitorRetryTime", "1s", "between them"},
		{"healthChecks", "false", "a check that fails would end the session before its TTL"},
	}
	if ask.Wait > 0 {
		if once := (ask.Wait - consulPoll) * 16 / 17; once >= consulPoll {
			return append(out, Setting{"LockTryOnce", "true", "ends the wait"},
				Setting{"LockWaitTime", GoText.Format(once.Truncate(time.Millisecond)), "acquire wait (A), less the sixteenth and the sleep by which it is overrun"}), nil
		}
		// The channel ends the waiter's sleep at once, a long poll after up to
		// 17/16 of LockWaitTime.
		long := (ask.Wait / 2 * 16 / 17).Truncate(time.Millisecond)
		stop := (ask.Wait / 2).Truncate(time.Millisecond)
		if long <= 0 {
			return nil, fault.Usagef("consul: a wait of %s is too short for a long poll", f(ask.Wait)).Hintf("a longer --deadline")
		}
		out = append(out, Setting{"LockTryOnce", "false", "the application ends the wait"}, Setting{"LockWaitTime", GoText.Format(long), "a long poll, half of the acquire wait (A)"},
			Setting{"application.acquireWait", GoText.Format(stop), "half of the acquire wait (A): close the stop channel then, a long poll ends after it"})
	}
	return out, nil
}

// consulCode is the source file that emit writes.
const consulCode = goHead + `
	"github.com/hashicorp/consul/api"
)
` + goLimits + `
// {{.ID}}Lock sets the timing of a lock.
func {{.ID}}Lock(o *api.LockOptions) {
	o.SessionTTL = "{{.Raw "SessionTTL"}}"
	o.LockDelay = {{.Go "LockDelay"}}
	o.MonitorRetries = {{.Raw "MonitorRetries"}}
	o.MonitorRetryTime = {{.Go "MonitorRetryTime"}}
{{- if .Has "LockWaitTime"}}
	o.LockTryOnce = {{.Raw "LockTryOnce"}}
	o.LockWaitTime = {{.Go "LockWaitTime"}}
{{- end}}
}
{{- if eq (.Raw "healthChecks") "false"}}

// {{.ID}}Session makes the session that LockOptions.Session names, and renews
// it until done is closed. It hangs on no health check: api.Lock's own session
// does, and ends with the check, before its TTL.
func {{.ID}}Session(c *api.Client, done chan struct{}) (string, error) {
	id, _, err := c.Session().CreateNoChecks(&api.SessionEntry{
		TTL:       "{{.Raw "SessionTTL"}}",
		LockDelay: {{.Go "LockDelay"}},
	}, nil)
	if err == nil {
		go c.Session().RenewPeriodic("{{.Raw "SessionTTL"}}", id, nil, done)
	}
	return id, err
}
{{- end}}
`
