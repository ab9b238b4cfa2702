package library

import (
	"strings"
	"testing"
)

// Retry strategies as people write them: LinearBackoff alone has no limit,
// ExponentialBackoff has a least and a most, LimitRetry counts.
func TestRedislockStrategies(t *testing.T) {
	lib, err := Get("redislock")
	if err != nil {
		t.Fatal(err)
	}
	const head = "package x\n\nconst every = 100 * time.Millisecond\n\nfunc f(ctx context.Context, c *redislock.Client) {\n"
	obtain := func(options string) string {
		return "\tlock, err := c.Obtain(ctx, \"k\", 10*time.Second, " + options + ")\n"
	}
	with := func(strategy string) string { return obtain("&redislock.Options{RetryStrategy: " + strategy + "}") }
	for _, c := range []struct{ body, want, fails string }{
		{body: with("redislock.LinearBackoff(100*time.Millisecond)"), want: "backoff=100ms ttl=10s"},
		{body: with("redislock.LinearBackoff(every)"), want: "backoff=100ms ttl=10s"},
		{body: with("redislock.LimitRetry(redislock.LinearBackoff(every), 30)"), want: "backoff=100ms retries=30 ttl=10s"},
		{body: with("redislock.ExponentialBackoff(16*time.Millisecond, time.Second)"), want: "backoff=16ms maxBackoff=1s ttl=10s"},
		{body: with("redislock.LimitRetry(redislock.ExponentialBackoff(16*time.Millisecond, time.Second), 10)"), want: "backoff=16ms maxBackoff=1s retries=10 ttl=10s"},
		{body: "\ts := redislock.LinearBackoff(every)\n\tl := redislock.LimitRetry(s, 3)\n" + with("l"), want: "backoff=100ms retries=3 ttl=10s"},
		{body: "\tbackoff := redislock.LimitRetry(redislock.LinearBackoff(every), 3)\n" + with("backoff"), want: "backoff=100ms retries=3 ttl=10s"},
		{body: "\to := &redislock.Options{}\n\to.RetryStrategy = redislock.LinearBackoff(every)\n" + obtain("o"), want: "backoff=100ms ttl=10s"},
		{body: with("redislock.NoRetry()"), want: "ttl=10s"},
		{body: with("nil"), want: "ttl=10s"},
		{body: obtain("nil"), want: "ttl=10s"},
		{body: "\tlock, err := redislock.Obtain(\n\t\tctx,\n\t\tclient,\n\t\t\"k\",\n\t\t10*time.Second,\n\t\tnil,\n\t)\n", want: "ttl=10s"},
		{body: "\tlock, err := c.Obtain(\n\t\tctx,\n\t\t\"k\",\n\t\t10*time.Second,\n\t\tnil,\n\t)\n", want: "ttl=10s"},
		// What the file does not say is no NoRetry.
		{body: with("strategy"), fails: `lock.go:6: RetryStrategy is "strategy", which this file does not make`},
		{body: with("&mine{}"), fails: `RetryStrategy is "&mine{}"`},
		{body: with("redislock.LinearBackoff(cfg.Every)"), fails: `backoff is set to "cfg.Every"`},
		{body: with("redislock.LimitRetry(redislock.LinearBackoff(every), cfg.Tries)"), fails: `retries is set to "cfg.Tries"`},
	} {
		values, err := Parse(lib, "lock.go", []byte(head+c.body+"}\n"))
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s: %v, want %s", c.body, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		var got []string
		for _, key := range []string{"backoff", "maxBackoff", "retries", "ttl"} {
			if v, ok := values[key]; ok {
				got = append(got, key+"="+v.Text)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: read as %s, want %s", c.body, text, c.want)
		}
	}
}
