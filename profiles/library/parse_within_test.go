package library

import "testing"

// withinReadings are the files of TestParseWithin, also seeds of FuzzParse.
var withinReadings = map[string]reading{
	"second argument":      {"redis-py", "w.py", "TTL = 5\nl = r.lock(\"a\", TTL, blocking_timeout=60)\n", "@2 blocking_timeout=60 timeout=5"},
	"all by place":         {"redis-py", "w.py", "l = r.lock(\"a\", 5, 0.2, True, 60, None, False)\n", "@1 blocking_timeout=60 sleep=0.2 thread_local=false timeout=5"},
	"requests":             {"redis-py", "w.py", "requests.get(\"http://x\", timeout=3)\nl = r.lock(\"a\", timeout=5)\n", "@2 timeout=5"},
	"subprocess":           {"redis-py", "w.py", "r = redis.Redis(socket_timeout=0.5)\nl = r.lock(\"a\", timeout=5)\nwith l:\n    subprocess.run([\"x\"], timeout=20)\n", "@1 socket_timeout=0.5 timeout=5"},
	"requests alone":       {"redis-py", "w.py", "requests.get(\"http://x\", timeout=3)\n", "error: w.py: no setting of redis-py found"},
	"no constant":          {"redis-py", "w.py", "requests.get(\"http://x\", timeout=cfg.t)\nl = r.lock(\"a\", timeout=5)\n", "@2 timeout=5"},
	"arguments of another": {"redis-py", "w.py", "HTTP = dict(timeout=3)\nLOCK = {\"timeout\": 5}\nrequests.get(u, **HTTP)\nl = r.lock(\"a\", **LOCK)\n", "@2 timeout=5"},
	"dict() of the lock":   {"redis-py", "w.py", "LOCK = dict(timeout=5)\nl = r.lock(\"a\", **LOCK)\n", "@1 timeout=5"},
	"settings":             {"redis-py", "settings.py", "LOCK = {\n    \"timeout\": 5,\n    \"blocking_timeout\": 1,\n}\n", "@2 blocking_timeout=1 timeout=5"},
	"a variable":           {"redis-py", "w.py", "timeout = 3\nl = r.lock(\"a\", timeout=5)\n", "@2 timeout=5"},
	"a parameter":          {"redis-py", "w.py", "def get(u, timeout=3): pass\nl = r.lock(\"a\", timeout=5)\n", "@2 timeout=5"},
	"its acquire":          {"redis-py", "w.py", "l = r.lock(\"a\", timeout=5)\nl.acquire(sleep=0.2, blocking_timeout=3)\nmutex.acquire(timeout=9)\n", "@1 blocking_timeout=3 sleep=0.2 timeout=5"},
	"another's socket":     {"redis-py", "w.py", "l = redis.from_url(u, socket_timeout=0.5).lock(\"a\", timeout=5)\nm = memcache.Client(u, socket_timeout=3)\n", "@1 socket_timeout=0.5 timeout=5"},
	"another's retries":    {"redis-py", "w.py", "l = redis.Redis(retry=Retry(b, retries=2)).lock(\"a\", timeout=5)\n@task(retries=9)\ndef f(): pass\n", "@1 retries=2 retry_backoff_cap?comes of b, which this file does not say timeout=5"},

	"animation":         {"node-redlock", "w.js", "anime({ duration: 60000 });\nredlock.using([`a`], 5000, async () => {\n  anime({ duration: 60000 });\n  const duration = 9000;\n});\n", "@2 duration=5000 using=true"},
	"animation alone":   {"node-redlock", "w.js", "anime({ duration: 60000 });\n", "error: w.js: no setting of node-redlock found"},
	"a file of its own": {"node-redlock", "w.js", "export const lock = { duration: 5000, retryCount: 2 };\n", "@1 duration=5000 retryCount=2"},
	"settings of it":    {"node-redlock", "w.js", "const opts = { retryCount: 2 };\nconst redlock = new Redlock([c], opts);\nredlock.acquire([`a`], 5000);\n", "@1 duration=5000 retryCount=2 using=false"},
}

// TestParseWithin: a name that others have, too, counts in calls of the library
// only, and in what these are given.
func TestParseWithin(t *testing.T) {
	for name, r := range withinReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
