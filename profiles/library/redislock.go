package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// redislock is bsm/redislock on go-redis.
type redislock struct{ version }

var redislockSheet = Sheet{
	Name: "redislock", Title: "bsm/redislock on go-redis", Language: "go", Store: "redis",
	Versions: []string{"0.9", "0.10"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: append([]Key{
		{Name: "ttl", Unit: GoText, Range: "whole milliseconds, at least 1ms", Outside: "cut to milliseconds", Round: "up", Doc: "argument of Obtain"},
		{Name: "backoff", Unit: GoText, Round: "down", Doc: "LinearBackoff between two tries"},
		{Name: "retries", Unit: Count, Default: "0", Range: "0 and above", Outside: "below 0 is 0", Doc: "LimitRetry; 0 is NoRetry"},
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

// Granted, FreeMin and FreeMax are the key's PX.
func (redislock) Granted(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }
func (redislock) FreeMin(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }
func (redislock) FreeMax(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }

func (redislock) tiny(ttl time.Duration) string {
	return "Redis refuses a lease of " + f(ttl) + " in Obtain, and Refresh deletes the key with it"
}

// Loss is never signalled.
func (redislock) Loss(time.Duration) (time.Duration, bool) { return 0, false }

// Read knows that without a deadline the ttl is the longest wait.
func (r redislock) Read(run *Running) {
	run.Library = r
	manual(run, goRedisRead(run), "ttl", "refreshEvery", "refreshTimeout")
	ttl, deadline := run.Dur("ttl"), run.Bound("contextDeadline")
	retries := max(run.Int("retries"), 0)
	if run.Given("backoff") && run.Dur("backoff") == 0 {
		retries = 0 // a back-off of 0 ends the tries
	}
	run.Setup.Retries, run.Setup.RetryDelay = retries, run.Bound("backoff")
	run.set("retries", strconv.Itoa(retries))
	wait := deadline
	if !deadline.Known && run.HasLease {
		wait = calc.Compute(ttl, "the ttl: no context deadline")
	}
	if retries == 0 {
		wait = calc.Compute(0, "no retries")
	}
	lp522(run, retries)
	if !run.Setup.Wait.Known && run.HasLease {
		run.Setup.Wait = wait
	}
	if run.HasLease {
		acquire := saturate(wait.Value, run.Setup.Command.Value)
		run.Own.Acquire = &acquire
	}
}

// Express gives the wait as a context deadline.
func (redislock) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"ttl", GoText.Format(wholeMillis(ask.Lease.TTL)), "lease TTL"}}
	if ask.Wait > 0 {
		every := pollEvery(ask)
		out = append(out,
			Setting{"backoff", GoText.Format(every), "a tenth of the wait, at most 100 ms"},
			Setting{"retries", strconv.Itoa(int(min(ask.Wait/every, 1_000_000))), "the deadline ends them"},
			Setting{"contextDeadline", GoText.Format(ask.Wait.Truncate(time.Millisecond)), "A"})
	}
	if ask.Lease.Renews() {
		out = append(out, Setting{"refreshEvery", GoText.Format(ask.Lease.Interval.Truncate(time.Millisecond)), "T / n, in the application"},
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
	return &redislock.Options{RetryStrategy: redislock.LimitRetry(redislock.LinearBackoff({{.Go "backoff"}}), {{.Raw "retries"}})}
{{- else}}
	return nil
{{- end}}
}

` + goRedisOptionsCode
