package library

import "testing"

const obtained = "func f() {\n\tlock, err := locker.Obtain(ctx, `a`, 10*time.Second, nil)\n"

// Refresh(ctx, ttl, opt) of bsm/redislock sets the lease anew to its own ttl
// (research/libs-redis.md, section 6).
func TestParseRefresh(t *testing.T) {
	for name, r := range map[string]reading{
		"the same":    {"redislock", "w.go", obtained + "\tlock.Refresh(ctx, 10*time.Second, nil)\n}\n", "@2 ttl=10s"},
		"named":       {"redislock", "w.go", "const ttl = 10 * time.Second\nfunc f() {\n\tlock, err := locker.Obtain(ctx, `a`, ttl, nil)\n\tlock.Refresh(ctx, ttl, nil)\n}\n", "@3 ttl=10s"},
		"another":     {"redislock", "w.go", obtained + "\tlock.Refresh(ctx, time.Minute, nil)\n}\n", "error: w.go:3: Refresh gives a lease of 1m0s, and the file takes the lock for 10s"},
		"elsewhere":   {"redislock", "w.go", obtained + "\tlock.Refresh(ctx, cfg.TTL, nil)\n}\n", `error: w.go:3: ttl is set to "cfg.TTL", which is no constant of this file`},
		"of a cache":  {"redislock", "w.go", obtained + "\tcache.Refresh(ctx)\n}\n", "@2 ttl=10s"},
		"not by hand": {"redislock", "w.go", "func f() {\n\tcache.Refresh(ctx, key, nil)\n\tredislock.Options{RetryStrategy: redislock.LinearBackoff(100*time.Millisecond)}\n}\n", "@3 backoff=100ms"},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
