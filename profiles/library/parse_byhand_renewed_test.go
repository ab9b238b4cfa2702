package library

import "testing"

// A renewal by EXPIRE sets the lease anew, to what it says (redis.io/commands/expire).
func TestParseRenewedByHand(t *testing.T) {
	for name, r := range map[string]reading{
		"the same":            {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.PExpire(ctx, \"lock:x\", 10*time.Second)\n}\n", "@4 ttl=10s"},
		"longer":              {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.Expire(ctx, \"lock:x\", time.Minute)\n}\n", "error: w.go:5: the lock is renewed for ttl 1m0s, and taken for 10s"},
		"elsewhere":           {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.Expire(ctx, \"lock:x\", cfg.TTL)\n}\n", `error: w.go:5: ttl is renewed for "cfg.TTL", which is no constant of this file`},
		"another key":         {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.Expire(ctx, \"page\", time.Minute)\n}\n", "@4 ttl=10s"},
		"in another function": {"go-redis", "w.go", byHand + "10*time.Second).Result()\n}\nfunc touch() { rdb.Expire(ctx, \"lock:x\", time.Minute) }\n", "error: w.go:6: the lock is renewed for ttl 1m0s, and taken for 10s"},
		"another's name":      {"go-redis", "w.go", "func f(key string) {\n\trdb.SetNX(ctx, key, token, 10*time.Second)\n}\nfunc count(key string) {\n\trdb.Expire(ctx, key, time.Minute)\n}\n", "@2 ttl=10s"},
		"one line":            {"go-redis", "w.go", "func f(k string) { rdb.SetNX(ctx, k, token, 10*time.Second) }\nfunc g(k string) { rdb.Expire(ctx, k, time.Minute) }", "@1 ttl=10s"},
		"one line, one":       {"go-redis", "w.go", "func f(k string) { rdb.SetNX(ctx, k, t, 10*time.Second); rdb.Expire(ctx, k, time.Minute) }", "error: w.go:1: the lock is renewed for ttl 1m0s"},
		"python":              {"redis-py", "w.py", "r.set('lock:x', t, nx=True, px=30000)\nr.expire('lock:x', 60)\n", "error: w.py:2: the lock is renewed for timeout 60, and taken for 30"},
		"python, the same":    {"redis-py", "w.py", "r.set('lock:x', t, nx=True, px=30000)\nr.expire('lock:x', 30)\n", "@1 acquire=set-nx-px timeout=30"},
		"javascript":          {"node-redlock", "w.js", "await redis.set('lock:x', t, 'PX', 30000, 'NX');\nawait redis.pexpire('lock:x', 60000);\n", "error: w.js:2: the lock is renewed for duration 60000, and taken for 30000"},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
