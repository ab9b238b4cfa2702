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
	lib, err := Get("go-redis")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		line int
		lack string
	}{
		"del": {5, ""}, "script": {0, ""}, "expire": {5, "the file shows none"}, "another file": {0, "the file shows none"},
		"another client": {0, "the file shows none"}, "eval": {0, "the file has a DEL, and a script or a WATCH"},
	} {
		all, err := ParseAll(lib, "w.go", []byte(byHandReadings[name].text))
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %d locks", name, err, len(all))
			continue
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: all[0].Values})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		line := 0
		for _, f := range v.Findings {
			if f.ID == "LP525" {
				line = f.Line
			}
		}
		if lack := all[0].Lacks["release"]; line != want.line || !strings.Contains(lack, want.lack) || want.lack == "" && lack != "" {
			t.Errorf("%s: LP525 on line %d, lacks %q, want line %d, %q", name, line, lack, want.line, want.lack)
		}
	}
}
