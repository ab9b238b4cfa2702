package library

import "testing"

// research/libs-redis.md PY1: None and 0 never expire, below a millisecond the
// server refuses.
func TestLP560(t *testing.T) {
	ruleEdges(t, "LP560", []ruleEdge{
		{"error", "redis-py", nil},
		{"error", "redis-py", []string{"timeout=None"}},
		{"error", "redis-py", []string{"timeout=0"}},
		{"error", "redis-py", []string{"timeout=0.0005"}},
		{"error", "redis-py", []string{"timeout=0.0009"}},
		{"", "redis-py", []string{"timeout=0.001"}},
		{"", "redis-py", []string{"timeout=10"}},
	})
}

// TestRedisPySource: PY1 from source, where the timeout is what is not said.
func TestRedisPySource(t *testing.T) {
	for _, row := range []struct{ code, timeout, wait string }{
		{`r.lock("k")`, "None", ""},
		{`r.lock("k", blocking_timeout=3)`, "None", "3"},
		{`r.lock("k", timeout=0.0005)`, "0.0005", ""},
		{`r.lock("k", timeout=10)`, "10", ""},
		{`r.lock("k", 10, 0.2, True, 5)`, "10", "5"},
		{`r.lock("k", timeout=T, blocking_timeout=W)`, "2.5", "3"},
		{"from redis.lock import Lock\nl = Lock(r, \"k\")", "None", ""},
		{"from redis.lock import Lock\nl = Lock(r, \"k\", 7)", "7", ""},
		{"import threading\nm = threading.Lock()\nl = r.lock(\"k\", timeout=3)", "3", ""},
	} {
		lib, err := Get("redis-py")
		if err != nil {
			t.Fatal(err)
		}
		values, err := Parse(lib, "lock.py", []byte("T, W = 2.5, 3\n"+row.code+"\n"))
		if err != nil {
			t.Errorf("%s: %v", row.code, err)
		}
		if values["timeout"].Text != row.timeout || values["blocking_timeout"].Text != row.wait {
			t.Errorf("%s is read as %v", row.code, values)
		}
	}
}
