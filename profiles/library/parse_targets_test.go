package library

import "testing"

const goLock = "func lock(ctx context.Context, rdb *redis.Client) bool {\n\t"

// targetReadings are the files of TestParseTargets, also seeds of FuzzParse.
var targetReadings = map[string]reading{
	"go":               {"go-redis", "w.go", goLock + "wait, ttl := 60*time.Second, 5*time.Second\n\t_ = wait\n}\n", "@2 ttl=5s"},
	"go, first":        {"go-redis", "w.go", goLock + "ttl, wait := 5*time.Second, 60*time.Second\n\t_ = wait\n}\n", "@2 ttl=5s"},
	"go, through if":   {"go-redis", "w.go", goLock + "if wait, ttl := 60*time.Second, 5*time.Second; ttl < wait {\n\t}\n}\n", "@2 ttl=5s"},
	"go, used":         {"client-go", "w.go", "const wait, lease = time.Minute, 15 * time.Second\nvar c = Config{LeaseDuration: lease}\n", "@2 leaseDuration=15s"},
	"go, three":        {"client-go", "w.go", "var leaseDuration, renewDeadline, retryPeriod = 15 * time.Second, 14 * time.Second, 2 * time.Second\n", "@1 leaseDuration=15s renewDeadline=14s retryPeriod=2s"},
	"go, two lines":    {"client-go", "w.go", "var leaseDuration, renewDeadline,\n\tretryPeriod = 15 * time.Second,\n\t14 * time.Second, 2 * time.Second\n", "@1 leaseDuration=15s renewDeadline=14s retryPeriod=2s"},
	"go, block":        {"client-go", "w.go", "const (\n\tx, leaseDuration = 1, 15 * time.Second\n\tretryPeriod time.Duration = 2 * time.Second\n)\n", "@2 leaseDuration=15s retryPeriod=2s"},
	"go, type":         {"client-go", "w.go", "var leaseDuration, renewDeadline time.Duration = 15 * time.Second, 10 * time.Second\n", "@1 leaseDuration=15s renewDeadline=10s"},
	"go, fields":       {"client-go", "w.go", "c.LeaseDuration, c.RenewDeadline = 15*time.Second, 10*time.Second\n", "@1 leaseDuration=15s renewDeadline=10s"},
	"go, commas":       {"client-go", "w.go", "x, leaseDuration := f(1, \"a,b\"), 15*time.Second\n", "@1 leaseDuration=15s"},
	"go, one function": {"client-go", "w.go", "c.LeaseDuration, err = time.ParseDuration(text)\n", `error: w.go:1: leaseDuration is set to "time.ParseDuration(text)", which is no constant of this file`},
	"go, one of two":   {"client-go", "w.go", "x, leaseDuration := 15*time.Second, cfg.Lease\n", `error: w.go:1: leaseDuration is set to "cfg.Lease"`},
	"go, used, not known": {"client-go", "w.go", "lease, err := parse(text)\nvar c = Config{LeaseDuration: lease}\n",
		`error: w.go:2: leaseDuration is set to "lease"`},
	"go, what is left": {"redislock", "w.go", "lock, err := c.Obtain(ctx, \"k\", 10*time.Second, nil)\nif ttl, err := lock.TTL(ctx); err != nil {\n}\n", "@1 ttl=10s"},

	"python":             {"redis-py", "w.py", "wait, timeout = 60, 5\n", "@1 timeout=5"},
	"python, used":       {"redis-py", "w.py", "wait, ttl = 60, 5\nr.lock(\"a\", timeout=ttl)\n", "@2 timeout=5"},
	"python, brackets":   {"redis-py", "w.py", "(wait, timeout) = (60, 5)\n[a, sleep] = 1, 0.2\n", "@1 sleep=0.2 timeout=5"},
	"python, chain":      {"redis-py", "w.py", "pair = wait, timeout = 60, 5\n", "@1 timeout=5"},
	"python, in a block": {"redis-py", "w.py", "if x: wait, timeout = 60, 5\n", "@1 timeout=5"},
	"python, function":   {"redis-py", "w.py", "wait, timeout = settings()\n", `error: w.py:1: timeout is set to "settings()"`},
	"python, rest":       {"redis-py", "w.py", "*wait, timeout = 60, 5\n", `error: w.py:1: timeout is set to "60, 5"`},
	"python, arguments":  {"redis-py", "w.py", "r.lock(name, timeout=5,\n  sleep=0.2)\n", "@1 sleep=0.2 timeout=5"},

	"js":                {"node-redlock", "w.js", "let wait = 60000, duration = 5000;\n", "@1 duration=5000"},
	"js, no value":      {"node-redlock", "w.js", "var wait, duration = 5000;\n", "@1 duration=5000"},
	"js, array":         {"node-redlock", "w.ts", "export const [wait, duration] = [60000, 5000]\n", "@1 duration=5000"},
	"js, used":          {"node-redlock", "w.js", "const [wait, ttl] = [60000, 5000];\nredlock.using([`a`], ttl, async () => {});\n", "@2 duration=5000 using=true"},
	"js, array, other":  {"node-redlock", "w.js", "const [wait, duration] = times;\n", `error: w.js:1: duration is set to "times"`},
	"js, object":        {"node-redlock", "w.js", "const {\n  retryCount, wait\n} = config;\n", `error: w.js:2: retryCount is set to "config"`},
	"js, object itself": {"node-redlock", "w.js", "const { wait, duration } = { duration: 5000, wait: 60000 };\n", "@1 duration=5000"},
	"js, module":        {"node-redlock", "w.js", "const { using } = require('./locks');\nconst duration = 5000;\n", "@2 duration=5000"},
	"kotlin":            {"redisson", "W.kt", "val (wait, leaseTime) = settings()\n", `error: W.kt:1: leaseTime is set to "settings()"`},

	"cut off": {"go-redis", "w.go", "a, ttl := ", `error: w.go:1: ttl is set to ""`},
	"unequal": {"go-redis", "w.go", "a, ttl := 5*time.Second\n", `error: w.go:1: ttl is set to "5*time.Second"`},
}

// TestParseTargets: of a statement that gives values to several names each gets
// its own one, by place; what cannot be matched is refused.
func TestParseTargets(t *testing.T) {
	for name, r := range targetReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
