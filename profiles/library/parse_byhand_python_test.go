package library

import "testing"

const pyByHand = "def work(r, sku):\n    key = f\"lock:{sku}\"\n    if not r.set(key, token, nx=True, px=30000):\n        return\n"

// pyHandReadings are the files of TestParseByHandPython, also seeds of
// FuzzParse. Arguments are those of redis-py's set(name, value, ex, px, nx),
// setnx and expire (seconds).
var pyHandReadings = map[string]reading{
	"delete":               {"redis-py", "w.py", pyByHand + "    r.delete(key)\n", "@3 acquire=set-nx-px release=del timeout=30"},
	"unlink":               {"redis-py", "w.py", pyByHand + "    r.unlink(key)\n", "@3 acquire=set-nx-px release=del timeout=30"},
	"another key":          {"redis-py", "w.py", pyByHand + "    r.delete(f\"cache:{sku}\")\n", "@3 acquire=set-nx-px timeout=30"},
	"another key's name":   {"redis-py", "w.py", pyByHand + "    page = \"cache:%s\" % sku\n    r.delete(page)\n", "@3 acquire=set-nx-px timeout=30"},
	"a key of some name":   {"redis-py", "w.py", pyByHand + "\ndef unlock(r, name):\n    r.delete(name)\n", "@3 acquire=set-nx-px release=del timeout=30"},
	"another's client":     {"redis-py", "w.py", pyByHand + "    cache.delete(name)\n", "@3 acquire=set-nx-px timeout=30"},
	"a key among others":   {"redis-py", "w.py", pyByHand + "    pipe.delete(\"x\", key)\n", "@3 acquire=set-nx-px release=del timeout=30"},
	"a script":             {"redis-py", "w.py", "unlock = r.register_script(\"\"\"if redis.call('get', KEYS[1]) == ARGV[1] ...\"\"\")\n" + pyByHand + "    unlock(keys=[key], args=[token])\n    r.delete(other)\n", "@4 acquire=set-nx-px timeout=30"},
	"eval":                 {"redis-py", "w.py", pyByHand + "    r.eval(UNLOCK, 1, key, token)\n", "@3 acquire=set-nx-px timeout=30"},
	"no release":           {"redis-py", "w.py", pyByHand, "@3 acquire=set-nx-px timeout=30"},
	"by place":             {"redis-py", "w.py", "r.set('lock', 1, None, 1500, True)\nr.delete('lock')\n", "@1 acquire=set-nx-px release=del timeout=1.5"},
	"in seconds":           {"redis-py", "w.py", "TTL = 30\nawait self.redis.set(self.key, t, ex=TTL, nx=True)\nawait self.redis.delete(self.key)\n", "@2 acquire=set-nx-px release=del timeout=30"},
	"a timedelta":          {"redis-py", "w.py", "r.set(k, t, px=timedelta(minutes=1), nx=True)\n", "@1 acquire=set-nx-px timeout=60"},
	"no lease":             {"redis-py", "w.py", "r.set(k, t, nx=True)\nr.delete(k)\n", "@1 acquire=set-nx-px release=del timeout=None"},
	"setnx and expire":     {"redis-py", "w.py", "r.setnx(k, t)\nr.expire(k, 30)\nr.delete(k)\n", "@1 acquire=setnx-expire release=del timeout=30"},
	"setnx and pexpire":    {"redis-py", "w.py", "if r.set(k, t, nx=True):\n    r.pexpire(k, 1500)\n", "@1 acquire=setnx-expire timeout=1.5"},
	"another key's expire": {"redis-py", "w.py", "r.setnx(\"lock\", t)\nr.expire(\"page\", 30)\n", "@1 acquire=set-nx-px timeout=None"},
	"no constant":          {"redis-py", "w.py", "r.set(k, t, nx=True, px=cfg.ttl)\n", `error: w.py:1: timeout is set to "cfg.ttl", which is no constant of this file`},
	"a moment":             {"redis-py", "w.py", "r.set(k, t, nx=True, pxat=end)\n", `error: w.py:1: timeout is set to "end"`},
	"no NX":                {"redis-py", "w.py", "r.set(k, t, px=30000)\nr.delete(k)\n", "error: w.py: no setting of redis-py found"},
	"XX":                   {"redis-py", "w.py", "r.set(k, t, px=30000, nx=False, xx=True)\n", "error: w.py: no setting of redis-py found"},
	"in a comment":         {"redis-py", "w.py", pyByHand + "    # r.delete(key)\n", "@3 acquire=set-nx-px timeout=30"},
	"two":                  {"redis-py", "w.py", "def a(r):\n    r.set(\"a\", t, nx=True, px=30000)\n    r.delete(\"a\")\ndef b(r):\n    r.set(\"b\", t, nx=True, ex=10)\n    r.eval\n", "line 2@2 acquire=set-nx-px release=del timeout=30\nline 5@5 acquire=set-nx-px timeout=10"},
	"done once":            {"redis-py", "w.py", "with r.lock(\"x\", timeout=10):\n    r.set(f\"done:{id}\", 1, nx=True, ex=cfg.day)\n", "@1 timeout=10"},
	"own functions":        {"redis-py", "w.py", pyByHand + "acquire = True\nrelease = \"v1\"\nr.delete(key)\n", "@3 acquire=set-nx-px release=del timeout=30"},
}

// TestParseByHandPython: a lock by hand on redis-py, and how it is released.
func TestParseByHandPython(t *testing.T) {
	for name, r := range pyHandReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
