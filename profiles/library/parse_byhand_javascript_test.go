package library

import "testing"

const jsByHand = "async function work(redis, sku) {\n  const key = `lock:${sku}`;\n  if (!(await redis.set(key, token, 'PX', 30000, 'NX'))) return;\n"

// jsHandReadings are the files of TestParseByHandJavaScript, also seeds of
// FuzzParse: ioredis' words behind the value, node-redis' options, 4's and 5's.
var jsHandReadings = map[string]reading{
	"del":                  {"node-redlock", "w.js", jsByHand + "  await redis.del(key);\n}\n", "@3 acquire=set-nx-px duration=30000 release=del"},
	"unlink":               {"node-redlock", "w.ts", jsByHand + "  await redis.unlink(key);\n}\n", "@3 acquire=set-nx-px duration=30000 release=del"},
	"words, turned":        {"node-redlock", "w.js", "redis.set(\"lock\", t, \"nx\", \"ex\", 30);\nredis.del(\"lock\");\n", "@1 acquire=set-nx-px duration=30000 release=del"},
	"another key":          {"node-redlock", "w.js", jsByHand + "  await redis.del(`cache:${sku}`);\n}\n", "@3 acquire=set-nx-px duration=30000"},
	"another key's name":   {"node-redlock", "w.js", jsByHand + "  const page = 'cache:' + sku;\n  await redis.del(page);\n}\n", "@3 acquire=set-nx-px duration=30000"},
	"a key of some name":   {"node-redlock", "w.js", jsByHand + "}\nconst unlock = (redis, name) => redis.del(name);\n", "@3 acquire=set-nx-px duration=30000 release=del"},
	"another's client":     {"node-redlock", "w.js", jsByHand + "  await cache.del(name);\n}\n", "@3 acquire=set-nx-px duration=30000"},
	"a script":             {"node-redlock", "w.js", jsByHand + "  await redis.eval(UNLOCK, 1, key, token);\n  await redis.del(other);\n}\n", "@3 acquire=set-nx-px duration=30000"},
	"a command of its own": {"node-redlock", "w.js", "redis.defineCommand('unlock', { numberOfKeys: 1, lua: UNLOCK });\n" + jsByHand + "  await redis.unlock(key, token);\n}\n", "@4 acquire=set-nx-px duration=30000"},
	"options":              {"node-redlock", "w.js", "await client.set(key, token, { NX: true, PX: 5 * 1000 });\nawait client.del(key);\n", "@1 acquire=set-nx-px duration=5000 release=del"},
	"options, seconds":     {"node-redlock", "w.ts", "const opts = {\n  EX: 30,\n  NX: true,\n};\nawait this.client.set(this.key, token, opts);\nawait this.client.del([this.key]);\n", "@5 acquire=set-nx-px duration=30000 release=del"},
	"options of 5":         {"node-redlock", "w.js", "await client.set(key, token, { condition: 'NX', expiration: { type: 'PX', value: 30_000 } });\nawait client.DEL(key);\n", "@1 acquire=set-nx-px duration=30000 release=del"},
	"no NX":                {"node-redlock", "w.js", "redis.set(key, t, 'PX', 30000);\ncache.set(key, value, { NX: false, PX: 3 });\nnew Map().set(a, b);\nredis.del(key);\n", "error: w.js: no setting of node-redlock found"},
	"no lease":             {"node-redlock", "w.js", "redis.set(key, t, 'NX');\nredis.del(key);\n", "@1 acquire=set-nx-px duration=0 release=del"},
	"setnx and expire":     {"node-redlock", "w.js", "await redis.setnx(key, t);\nawait redis.expire(key, 30);\n", "@1 acquire=setnx-expire duration=30000"},
	"setNX and pExpire":    {"node-redlock", "w.js", "await client.setNX(key, t);\nawait client.pExpire(key, 1500);\nawait client.del(key);\n", "@1 acquire=setnx-expire duration=1500 release=del"},
	"a default":            {"node-redlock", "w.js", "const lock = (key, ttl = 30000) => redis.set(key, id, 'NX', 'PX', ttl);\nconst unlock = (key) => redis.del(key);\n", "@1 acquire=set-nx-px duration=30000 release=del"},
	"no constant":          {"node-redlock", "w.js", "redis.set(key, t, 'PX', cfg.ttl, 'NX');\n", `error: w.js:1: duration is set to "cfg.ttl", which is no constant of this file`},
	"a moment":             {"node-redlock", "w.js", "redis.set(key, t, 'PXAT', end, 'NX');\n", `error: w.js:1: duration is set to "end (PXAT)"`},
	"done once":            {"node-redlock", "w.js", "const redlock = new Redlock([redis]);\nredlock.acquire(['a'], 5000);\nredis.set(`done:${id}`, 1, 'EX', cfg.day, 'NX');\n", "@2 duration=5000 using=false"},
	"with its client":      {"node-redlock", "w.js", "const redis = new Redis({ commandTimeout: 500 });\nredis.set('a', t, 'PX', 30000, 'NX');\nredis.del('a');\n", "@1 acquire=set-nx-px commandTimeout=500 duration=30000 release=del"},
	"in a comment":         {"node-redlock", "w.js", jsByHand + "  // redis.del(key)\n}\n", "@3 acquire=set-nx-px duration=30000"},
	"another's options":    {"node-redlock", "w.js", jsByHand + "  createPool(f, { acquire: 30000, release: 'x' });\n  redis.del(key);\n}\n", "@3 acquire=set-nx-px duration=30000 release=del"},
}

// TestParseByHandJavaScript: a lock by hand on ioredis or node-redis, and how
// it is released.
func TestParseByHandJavaScript(t *testing.T) {
	for name, r := range jsHandReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
