package library

import (
	"strings"
	"testing"
)

const byHand = "package x\n\nfunc f(ctx context.Context, rdb *redis.Client) error {\n\tok, err := rdb.SetNX(ctx, \"lock:x\", token, "

// byHandReadings are the files of TestParseByHand, also seeds of FuzzParse.
var byHandReadings = map[string]reading{
	"del":                {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\tdefer rdb.Del(ctx, \"lock:x\")\n}\n", "@4 release=del ttl=10s"},
	"unlink":             {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\tdefer rdb.Unlink(ctx, \"lock:x\")\n}\n", "@4 release=del ttl=10s"},
	"another file":       {"go-redis", "w.go", byHand + "10*time.Second).Result()\n}\n", "@4 ttl=10s"},
	"script":             {"go-redis", "w.go", "var unlock = redis.NewScript(`...`)\n" + byHand + "10*time.Second).Result()\n\tdefer unlock.Run(ctx, rdb, keys, token)\n}\n", "@5 ttl=10s"},
	"eval":               {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\tdefer rdb.Eval(ctx, unlock, keys, token)\n\trdb.Del(ctx, \"page\")\n}\n", "@4 ttl=10s"},
	"another key":        {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.Del(ctx, \"page\", fmt.Sprintf(\"cache:%s\", sku))\n}\n", "@4 ttl=10s"},
	"a key of some name": {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.Del(ctx, name)\n}\n", "@4 release=del ttl=10s"},
	"another client":     {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\tcache.Del(ctx, \"page\")\n}\n", "@4 ttl=10s"},
	"another's name":     {"go-redis", "w.go", byHand + "10*time.Second).Result()\n}\nfunc g(c *redis.Client) { c.Del(ctx, \"lock:x\") }\n", "@4 release=del ttl=10s"},
	"of the struct":      {"go-redis", "w.go", "func (l *L) Lock() bool { return l.rdb.SetNX(ctx, l.key, 1, ttl).Val() }\nfunc (l *L) Unlock() { l.rdb.Del(ctx, l.key) }\nconst ttl = 10 * time.Second\n", "@1 release=del ttl=10s"},
	"two locks":          {"go-redis", "w.go", "func a() { c.SetNX(ctx, \"a\", 1, 10*time.Second); c.Del(ctx, \"a\") }\nfunc b() { d.SetNX(ctx, \"b\", 1, 20*time.Second); }\n", "line 1@1 release=del ttl=10s\nline 2@2 ttl=20s"},
	"in a comment":       {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\t// rdb.Del(ctx, \"lock:x\")\n}\n", "@4 ttl=10s"},
	"expire":             {"go-redis", "w.go", byHand + "0).Result()\n\trdb.Expire(ctx, \"lock:x\", 10*time.Second)\n}\n", "@4 acquire=setnx-expire ttl=10s"},
	"expire and del":     {"go-redis", "w.go", byHand + "0).Result()\n\trdb.PExpire(ctx, key, 10*time.Second)\n\trdb.Del(ctx, key)\n}\n", "@4 acquire=setnx-expire release=del ttl=10s"},
	"for ever":           {"go-redis", "w.go", byHand + "0).Result()\n}\n", "@4 ttl=0s"},
	"renewed":            {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trdb.Expire(ctx, \"lock:x\", 10*time.Second)\n}\n", "@4 ttl=10s"},
	"no constant":        {"go-redis", "w.go", byHand + "cfg.TTL).Result()\n}\n", `error: w.go:4: ttl is set to "cfg.TTL", which is no constant of this file`},
	"expire, unknown":    {"go-redis", "w.go", byHand + "0).Result()\n\trdb.Expire(ctx, key, cfg.TTL)\n}\n", `error: w.go:4: ttl is set to "cfg.TTL"`},
	"set with arguments": {"go-redis", "w.go", "func f() {\n\trdb.SetArgs(ctx, key, 1, redis.SetArgs{Mode: \"NX\", TTL: 10 * time.Second})\n\trdb.Del(ctx, key)\n}\n", "@2 release=del ttl=10s"},
	"set, not a lock":    {"go-redis", "w.go", "func f() {\n\trdb.SetArgs(ctx, key, 1, redis.SetArgs{Mode: \"XX\", TTL: 10 * time.Second})\n\trdb.Del(ctx, key)\n}\n", "@2 ttl=10s"},
	"own functions":      {"go-redis", "w.go", byHand + "10*time.Second).Result()\n\trelease := redis.NewScript(`...`)\n\tdefer release(ctx, rdb)\n\tacquire(ctx)\n}\n", "@4 ttl=10s"},
}

// TestParseByHand: a lock by hand on go-redis, and how it is released.
func TestParseByHand(t *testing.T) {
	for name, r := range byHandReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

// requirements.md E1: the bare DEL is found where it stands; a file that does
// not show the release is not checked for it.
func TestLP525Source(t *testing.T) {
	for name, want := range map[string]struct {
		line int
		lack string
	}{
		"del": {5, ""}, "script": {0, ""}, "expire": {5, "the file shows none"}, "another file": {0, "the file shows none"},
		"another client": {0, "the file shows none"}, "eval": {0, "the file has a DEL, and a script or a WATCH"},
	} {
		byHandReadings[name].released(t, want.line, want.lack)
	}
	for name, want := range map[string]struct {
		line int
		lack string
	}{
		"delete": {5, ""}, "a script": {0, "the file has a DEL, and a script or a WATCH"}, "eval": {0, ""}, "setnx and pexpire": {2, "the file shows none"},
		"another key": {0, "the file shows none"}, "no release": {0, "the file shows none"}, "done once": {0, ""},
	} {
		pyHandReadings[name].released(t, want.line, want.lack)
	}
	for name, want := range map[string]struct {
		line int
		lack string
	}{
		"del": {4, ""}, "a script": {0, "the file has a DEL, and a script or a WATCH"}, "a command of its own": {0, ""}, "setnx and expire": {2, "the file shows none"},
		"another key": {0, "the file shows none"}, "options, seconds": {6, ""}, "done once": {0, ""},
	} {
		jsHandReadings[name].released(t, want.line, want.lack)
	}
}

// released holds the line of LP525, 0 for none, and why nobody knows how the
// lock is released.
func (r reading) released(t *testing.T, line int, lacks string) {
	t.Helper()
	lib, err := Get(r.lib)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ParseAll(lib, r.file, []byte(r.text))
	if err != nil || len(all) != 1 {
		t.Errorf("%s: %v, %d locks", r.text, err, len(all))
		return
	}
	v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: all[0].Values})
	if err != nil {
		t.Errorf("%s: %v", r.text, err)
	}
	got := 0
	for _, f := range v.Findings {
		if f.ID == "LP525" {
			got = f.Line
		}
	}
	if lack := all[0].Lacks["release"]; got != line || !strings.Contains(lack, lacks) || lacks == "" && lack != "" {
		t.Errorf("%s\nLP525 on line %d, lacks %q, want line %d, %q", r.text, got, lack, line, lacks)
	}
}
