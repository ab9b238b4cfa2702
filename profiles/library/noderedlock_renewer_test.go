package library

import "testing"

const redlockHead = "const redlock = new Redlock([client], { retryCount: 3 });\nasync function f() {\n"

// redlockReadings are the files of TestParseRedlock, also seeds of FuzzParse.
// research/libs-redis.md, section 10: only using() extends by itself; extend()
// sets the lease anew to what it is given.
var redlockReadings = map[string]reading{
	"acquire":             {"node-redlock", "w.js", redlockHead + "const lock = await redlock.acquire([`orders`], 5000);\n}\n", "@1 duration=5000 retryCount=3 using=false"},
	"acquire, ts":         {"node-redlock", "w.ts", redlockHead + "const lock: Lock = await redlock.acquire([`orders`], 5_000);\n}\n", "@1 duration=5000 retryCount=3 using=false"},
	"acquire, named":      {"node-redlock", "w.js", "const duration = 5000;\n" + redlockHead + "const lock = await redlock.acquire([`orders`], duration, {});\n}\n", "@2 duration=5000 retryCount=3 using=false"},
	"using":               {"node-redlock", "w.js", redlockHead + "await redlock.using([`orders`], 5000, async (signal) => {});\n}\n", "@1 duration=5000 retryCount=3 using=true"},
	"using, generic":      {"node-redlock", "w.ts", redlockHead + "await redlock.using<Map<string, number>>([`orders`], 5000, async (signal) => {});\n}\n", "@1 duration=5000 retryCount=3 using=true"},
	"the code counts":     {"node-redlock", "w.js", "// lockplan: using = true\n" + redlockHead + "const lock = await redlock.acquire([`orders`], 5000);\n}\n", "@2 duration=5000 retryCount=3 using=false"},
	"both":                {"node-redlock", "w.js", "async function a() { await r.using([`a`], 5000, g); }\nasync function b() { await r.acquire([`b`], 9000); }\n", "line 1@1 duration=5000 using=true\nline 2@2 duration=9000 using=false"},
	"a pool":              {"node-redlock", "w.js", redlockHead + "await redlock.using([`orders`], 5000, g);\nconst c = await pool.acquire();\n}\n", "@1 duration=5000 retryCount=3 using=true"},
	"extended":            {"node-redlock", "w.js", redlockHead + "let lock = await redlock.acquire([`orders`], 5000);\nlock = await lock.extend(5000);\n}\n", "@1 duration=5000 retryCount=3 using=false"},
	"extended to another": {"node-redlock", "w.js", redlockHead + "let lock = await redlock.acquire([`orders`], 5000);\nlock = await redlock.extend(lock, 60000);\n}\n", "error: w.js:4: extend() gives a lease of 60000 ms, and the file takes the lock for 5000 ms"},
	"extended, unknown":   {"node-redlock", "w.js", redlockHead + "let lock = await redlock.acquire([`orders`], 5000);\nlock = await lock.extend(cfg.ttl);\n}\n", `error: w.js:4: duration is set to "cfg.ttl", which is no constant of this file`},
	"another's extend":    {"node-redlock", "w.js", redlockHead + "let lock = await redlock.acquire([`orders`], 5000);\n_.extend(a, b);\n}\n", "@1 duration=5000 retryCount=3 using=false"},
}

// TestParseRedlock: who renews a lock of node-redlock is said by its calls.
func TestParseRedlock(t *testing.T) {
	for name, r := range redlockReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
