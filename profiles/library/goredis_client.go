package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// goRedisClient are redis.Options that decide how long one command takes.
// redsync, redislock and a lock by hand share them.
var goRedisClient = []Key{
	{Name: "ReadTimeout", Unit: GoText, Default: "5s", Range: "above 0", Outside: "0 is the default, below 0 is none", Round: "down", Signed: true, Doc: "reply to one try; 3s up to 9.21"},
	{Name: "WriteTimeout", Unit: GoText, Range: "above 0", Outside: "0 is ReadTimeout, below 0 is none", Round: "down", Signed: true, Doc: "ReadTimeout when absent"},
	{Name: "DialTimeout", Unit: GoText, Default: "5s", Range: "above 0", Outside: "0 is the default, below 0 every dial fails", Round: "down", Signed: true, Doc: "one try to connect, made up to five times, 100 ms apart"},
	{Name: "PoolTimeout", Unit: GoText, Range: "above 0", Outside: "0 is the default, below 0 does not wait", Round: "down", Signed: true, Doc: "for a free connection; ReadTimeout + 1s when absent, 30s without a ReadTimeout"},
	{Name: "MaxRetries", Unit: Count, Default: "3", Range: "above 0", Outside: "0 is the default, below 0 is none", Doc: "resends of one command"},
	{Name: "MaxRetryBackoff", Unit: GoText, Default: "1s", Range: "above 0", Outside: "0 is the default, below 0 is none", Round: "down", Signed: true, Doc: "between two tries"},
	{Name: "ContextTimeoutEnabled", Unit: Switch, Default: "false", Doc: "whether a context's deadline ends a command"},
}

const (
	goRedisDials   = 5                      // DialerRetries
	goRedisRedial  = 100 * time.Millisecond // DialerRetryTimeout
	goRedisMost    = 1000                   // resends that anybody means
	goRedisOldRead = 3 * time.Second        // ReadTimeout up to 9.21
)

// goRedisTime is a timeout as redis.Options.init reads it: 0 is the default,
// below 0 is none.
func goRedisTime(run *Running, key string, fallback time.Duration) (d time.Duration, none bool) {
	text := run.Values[key].Text
	if n, err := strconv.Atoi(text); err == nil && n < 0 { // -1 and -2, as Go source has them
		run.set(key, "none")
		return 0, true
	}
	b := run.Bound(key)
	switch {
	case !run.Given(key):
		b.Value = fallback
	case b.Value == 0:
		lp528(run, key, "0", f(fallback))
		b.Value = fallback
	case b.Value < 0:
		run.set(key, "none")
		return 0, true
	}
	run.set(key, f(b.Value))
	return b.Value, false
}

// goRedisRetries are the resends of one command.
func goRedisRetries(run *Running) int {
	n := run.Int("MaxRetries")
	switch {
	case n > goRedisMost:
		run.fail(run.Values["MaxRetries"], "MaxRetries", fault.Usagef("%d is above %d", n, goRedisMost))
		n = goRedisMost
	case n == 0:
		lp528(run, "MaxRetries", "0", "3")
		n = 3
	case n < 0:
		n = 0
	}
	run.set("MaxRetries", strconv.Itoa(n))
	return n
}

// goRedisLimits are a client's limits as it reads them.
type goRedisLimits struct {
	read, pool, dial, backoff time.Duration
	retries                   int
	enabled                   bool // a context ends a read
	endless                   bool // no ReadTimeout
	unheard                   bool // no deadline of any kind is set on a read
	file                      string
	line                      int
}

// goRedisRead reads them, and says what the client takes for something else.
func goRedisRead(run *Running) goRedisLimits {
	fallback := 5 * time.Second
	if goRedisIsOld(run.Library) {
		fallback = goRedisOldRead
	}
	l := goRedisLimits{enabled: run.Bool("ContextTimeoutEnabled"), file: run.Values["ReadTimeout"].File, line: run.Values["ReadTimeout"].Line}
	l.read, l.endless = goRedisTime(run, "ReadTimeout", fallback)
	l.unheard = l.endless && !goRedisHears(run)
	if run.Given("ReadTimeout") && !l.endless {
		run.Setup.Reply = run.Bound("ReadTimeout")
		run.Setup.Reply.Value = l.read
	}
	l.pool = saturate(l.read, time.Second)
	if l.endless {
		l.pool = 30 * time.Second
	}
	l.pool, _ = goRedisTime(run, "PoolTimeout", l.pool)
	if goRedisTime(run, "WriteTimeout", l.read); l.endless && !run.Given("WriteTimeout") {
		run.set("WriteTimeout", "none")
	}
	var never bool
	l.dial, never = goRedisTime(run, "DialTimeout", 5*time.Second)
	l.backoff, _ = goRedisTime(run, "MaxRetryBackoff", time.Second)
	l.retries = goRedisRetries(run)
	lp529(run, never)
	return l
}

// command is the longest time one command takes: every try and every wait
// between. A try on a frozen server is the wait for a connection and for the
// reply, behind a partition five dials. A context ends the first and the last,
// and the wait for the reply only with ContextTimeoutEnabled; who sets that
// has contexts, and where the deadline is not stated the replies are counted.
// Not known is without end.
func (l goRedisLimits) command(ctx calc.Bound) calc.Bound {
	switch {
	case l.enabled && ctx.Known && !l.unheard:
		return ctx
	case l.endless:
		return calc.Bound{}
	}
	try := l.read
	if !l.enabled {
		try = max(saturate(l.pool, l.read), goRedisDials*l.dial+(goRedisDials-1)*goRedisRedial)
	}
	worst := calc.Compute(calc.Chain(try, l.retries, l.backoff), "go-redis: every try and every back-off")
	if late := saturate(ctx.Value, l.read); ctx.Known && late < worst.Value {
		worst = calc.Compute(late, "go-redis: a try that begins within the context, and its ReadTimeout")
	}
	worst.File, worst.Line = l.file, l.line
	return worst
}

// within is when the last of many commands ends that begin within a context.
// Not known is without end.
func (l goRedisLimits) within(ctx calc.Bound) calc.Bound {
	switch {
	case l.enabled && !l.unheard:
		return ctx
	case l.endless:
		return calc.Bound{}
	}
	return calc.Compute(saturate(ctx.Value, l.read), "the context, and a ReadTimeout")
}

// goRedisHears reports whether a context's deadline can end a read without a
// ReadTimeout: -1 leaves the deadline to it, what is below sets none at all.
func goRedisHears(run *Running) bool {
	text := run.Values["ReadTimeout"].Text
	return text == "-1" || text == "-1ns"
}

func goRedisIsOld(lib Library) bool {
	g, ok := lib.(goRedis)
	return ok && g.before(9, 22)
}

// goRedisOptions are client options that keep a command within its context.
func goRedisOptions(ask Ask) []Setting {
	return []Setting{
		{"ReadTimeout", GoText.Format(max(ask.Attempt.Truncate(time.Millisecond), time.Millisecond)), "one try"},
		{"MaxRetries", "1", "one resend; the script answers by owner"},
		{"MaxRetryBackoff", GoText.Format(max(min(ask.Attempt/10, 100*time.Millisecond).Truncate(time.Microsecond), time.Microsecond)), "before the resend; 0 would be 1s"},
		{"ContextTimeoutEnabled", "true", "else a context's deadline does not end a command"},
	}
}
