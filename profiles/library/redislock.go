package library

import (
	"math"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// redislock is bsm/redislock on go-redis.
type redislock struct {
	version
	px
}

var redislockSheet = Sheet{
	Name: "redislock", Title: "bsm/redislock on go-redis", Language: "go", Store: "redis",
	Versions: []string{"0.9"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: append([]Key{
		{Name: "ttl", Unit: GoText, Range: "whole milliseconds, at least 1ms", Outside: "cut to milliseconds", Round: "up", Doc: "argument of Obtain"},
		{Name: "backoff", Unit: GoText, Round: "down", Doc: "between two tries: LinearBackoff, or the least of ExponentialBackoff; absent is NoRetry"},
		{Name: "maxBackoff", Unit: GoText, Outside: "0 is none", Round: "down", Doc: "the most of ExponentialBackoff, which begins with 4 ms and doubles; absent is LinearBackoff"},
		{Name: "retries", Unit: Count, Range: "0 and above", Outside: "below 0 is 0", Doc: "LimitRetry; 0 is one try, absent the back-off has no limit"},
		{Name: "contextDeadline", Unit: GoText, Round: "down", Wait: true, Doc: "deadline of Obtain's context; without one the wait ends at the ttl"},
		{Name: "refreshEvery", Unit: GoText, Round: "down", Doc: "the application's Refresh; absent is none"},
		{Name: "refreshTimeout", Unit: GoText, Round: "down", Doc: "context of one Refresh"},
	}, goRedisClient...),
	Renewal:         "none by itself: the application calls Refresh; from 0.10 on transient errors are tried again by the strategy",
	Call:            "the context, where ContextTimeoutEnabled; else go-redis' tries",
	Signal:          "the reply of Refresh: ErrNotObtained",
	Fence:           "none",
	MutualExclusion: "the lease; lost with an unreplicated write at a failover", NoDeadlock: "the ttl", OwnerOnly: "a random token and scripts",
	Atomic: "a script", Available: "Redis, with its failover",
	Reentrant: "with the same explicit token", Waiting: "the retry strategy, until the context's deadline", Fair: "nothing",
	Crash: "the ttl", Outrun: "the application's Refresh", JitterAtRelease: "the rest of the ttl blocks", Failover: "nothing: WAIT, or a unique index", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"without a deadline the ttl ends the wait, else the deadline does", "ttl 300 ms: 300 ms; with a deadline of 500 ms: 501 ms", "TestRealRedislock"},
		{"Obtain refuses a ttl below 1 ms", "0, -1 s, 1 ns, 999 us: an error, no key; 1.5005 s: 1500 ms (0.9.4)", "TestRealRedislock"},
		{"LimitRetry's back-offs end a wait, without it only the deadline or the ttl does", "back-off 50 ms: 153 ms with 3 retries; without, at the ttl of 300 ms: 301 ms", "TestRealRedislock"},
		{"ExponentialBackoff sleeps 4, 8, 16 ms and so on, within its limits", "16 to 100 ms, 6 retries: 16 + 16 + 16 + 32 + 64 + 100 = 244 ms: 255 ms", "TestRealRedislock"},
		{"a waiter refused just before a dead holder's lease ends owns the lock a back-off later", "1 s: 1.001 s", "TestRealTakeover"},
		{"Refresh with a ttl below 1 ms deletes the key and reports success", "0, -1 s, 999 us: no error, no key (0.9.4)", "TestRealRedislock"},
		{"a back-off of 0, no retries or fewer: one try", "at 5 edges: under 1 ms, ErrNotObtained", "TestRealRedislock"},
	},
	Code: map[string]string{"go": redislockCode},
}

func (redislock) Name() string  { return "redislock" }
func (redislock) Sheet() *Sheet { return &redislockSheet }

// Traits: any lease in milliseconds.
func (redislock) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, MinTTL: time.Millisecond}
}

func (redislock) tiny(ttl time.Duration) string {
	return "Redis refuses a lease of " + f(ttl) + " in Obtain, and Refresh deletes the key with it"
}

// Read knows that without a deadline the ttl is the longest wait.
func (r redislock) Read(run *Running) {
	run.Library = r
	client := goRedisRead(run)
	manual(run, client, "ttl", "refreshEvery", "refreshTimeout")
	wait := run.Bound("contextDeadline")
	if !wait.Known && run.HasLease {
		wait = calc.Assume(run.Dur("ttl"), "the ttl: no context deadline")
	}
	if wait.Known { // what stands inside the wait; Refresh and Release stand outside
		run.Setup.Command = client.command(wait)
	}
	tries := redislockTries(run)
	run.Setup.RetryDelay, run.Setup.Retries = run.Bound("backoff"), tries.retries
	if tries.retries > 0 {
		longest := tries.longest
		if wait.Known {
			longest = min(longest, wait.Value) // nothing is tried after it
		}
		run.Detect = run.polled(longest, 0, "the back-off and a try")
	}
	lp522(run, tries)
	if !run.HasLease {
		return
	}
	last := client.within(wait)
	run.Own.Endless = !last.Known
	if last.Known {
		acquire := last.Value
		if tries.limited {
			acquire = min(acquire, saturate(tries.total, calc.Chain(client.command(wait).Value, tries.retries, 0)))
		}
		run.Own.Acquire = &acquire
	}
	if tries.limited && tries.total < wait.Value {
		wait = calc.Compute(tries.total, "the back-offs of every retry")
	}
	if !run.Setup.Wait.Known {
		run.Setup.Wait = wait
	}
}

// redislockPolls are the tries of a strategy.
type redislockPolls struct {
	retries        int  // 0 is one try
	limited        bool // by LimitRetry, or by a back-off of 0
	total, longest time.Duration
}

// redislockTries reads a strategy: LinearBackoff sleeps alike, and a sleep of
// 0 ends the tries; ExponentialBackoff sleeps 4 ms, 8 ms and so on up to its
// 25th time, within its limits.
func redislockTries(run *Running) redislockPolls {
	backoff, exponential := run.Bound("backoff"), run.Given("maxBackoff")
	p := redislockPolls{retries: math.MaxInt32, limited: run.Given("retries") || !backoff.Known && !exponential}
	if p.limited {
		p.retries = max(run.Int("retries"), 0)
	}
	if !exponential && backoff.Value == 0 {
		p.retries, p.limited = 0, true
	}
	if p.limited {
		run.set("retries", strconv.Itoa(p.retries))
	}
	const last = 25 // from here on it sleeps alike
	for i := 1; i <= min(p.retries, last); i++ {
		p.longest = backoff.Value
		if exponential {
			p.longest = redislockExponential(i, backoff.Value, run.Dur("maxBackoff"))
		}
		p.total = saturate(p.total, p.longest)
	}
	p.total = saturate(p.total, calc.Chain(0, max(p.retries-last, 0), p.longest))
	return p
}

// redislockExponential is the n-th sleep of ExponentialBackoff.
func redislockExponential(n int, least, most time.Duration) time.Duration {
	d := time.Duration(2<<n) * time.Millisecond
	if n >= 25 {
		d = 2 << 25 * time.Millisecond
	}
	switch {
	case d < least:
		return least
	case most != 0 && d > most:
		return most
	}
	return d
}

// Express gives the wait as a context deadline.
func (redislock) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"ttl", GoText.Format(wholeMillis(ask.Lease.TTL)), "lease TTL"}}
	if ask.Wait > 0 {
		every := pollEvery(ask)
		out = append(out,
			Setting{"backoff", GoText.Format(every), "a tenth of the wait, at most 100 ms"},
			Setting{"retries", strconv.Itoa(int(min((ask.Wait+every-1)/every, 1_000_000))), "the deadline ends them"},
			Setting{"contextDeadline", GoText.Format(ask.Wait.Truncate(time.Millisecond)), "acquire wait (A)"})
	}
	if ask.Lease.Renews() {
		out = append(out, Setting{"refreshEvery", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "lease TTL / ratio (T / n), in the application"},
			Setting{"refreshTimeout", GoText.Format(ask.call()), "one Refresh"})
	} else {
		out = append(out, Setting{"refreshTimeout", GoText.Format(ask.Attempt), "one Release"})
	}
	return append(out, goRedisOptions(ask)...), nil
}

// redislockCode is the source file that emit writes.
const redislockCode = goHead + `
	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)
` + goLimits + `
// {{.ID}}TTL is the argument of Obtain and Refresh.
const {{.ID}}TTL = {{.Go "ttl"}}
{{if .Has "contextDeadline"}}
// {{.ID}}Wait is the deadline of Obtain's context.
const {{.ID}}Wait = {{.Go "contextDeadline"}}
{{end}}{{if .Has "refreshEvery"}}
// {{.ID}}RefreshEvery is between two calls of Refresh.
const {{.ID}}RefreshEvery = {{.Go "refreshEvery"}}
{{end}}
// {{.ID}}CallTimeout is the context of one Refresh and of Release.
const {{.ID}}CallTimeout = {{.Go "refreshTimeout"}}

// {{.ID}}Options are those of Obtain, new for each call: a limit counts.
func {{.ID}}Options() *redislock.Options {
{{- if .Has "backoff"}}
	const backoff = {{.Go "backoff"}}
	return &redislock.Options{RetryStrategy: redislock.LimitRetry(redislock.LinearBackoff(backoff), {{.Raw "retries"}})}
{{- else}}
	return nil
{{- end}}
}

` + goRedisOptionsCode
