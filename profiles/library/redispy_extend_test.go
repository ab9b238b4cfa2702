package library

import (
	"strings"
	"testing"
)

const pyLocked = "lock = r.lock('orders', timeout=30)\nwhile work():\n    time.sleep(10)\n    "

// extendReadings are the files of TestParseExtend, also seeds of FuzzParse:
// extend(additional_time, replace_ttl=False) of redis/lock.py 8.1.0.
var extendReadings = map[string]reading{
	"adds":         {"redis-py", "w.py", pyLocked + "lock.extend(30)\n", "@1 extend_by=30 extend_replaces_ttl=false timeout=30"},
	"replaces":     {"redis-py", "w.py", pyLocked + "lock.extend(30, replace_ttl=True)\n", "@1 extend_by=30 extend_replaces_ttl=true timeout=30"},
	"by place":     {"redis-py", "w.py", pyLocked + "lock.extend(30, True)\n", "@1 extend_by=30 extend_replaces_ttl=true timeout=30"},
	"by name":      {"redis-py", "w.py", pyLocked + "await lock.extend(additional_time=60, replace_ttl=False)\n", "@1 extend_by=60 extend_replaces_ttl=false timeout=30"},
	"unknown flag": {"redis-py", "w.py", pyLocked + "lock.extend(30, replace_ttl=flag)\n", "@1 extend_by=30 extend_replaces_ttl=false timeout=30"},
	"another name": {"redis-py", "w.py", "with r.lock('orders', timeout=30) as held:\n    held.extend(30)\n    held.extend(30)\n", "@1 extend_by=30 extend_replaces_ttl=false timeout=30"},
	"a list":       {"redis-py", "w.py", pyLocked + "blocks.extend(rows)\n", "@1 timeout=30"},
	"no constant":  {"redis-py", "w.py", pyLocked + "lock.extend(cfg.ttl)\n", `error: w.py:4: extend_by is set to "cfg.ttl", which is no constant of this file`},
	"reacquire":    {"redis-py", "w.py", pyLocked + "lock.reacquire()\n", "@1 timeout=30"},
}

// TestParseExtend: what a program gives to the extend() of a lock.
func TestParseExtend(t *testing.T) {
	for name, r := range extendReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

// The sleep of a loop is not the distance of its renewals, which holds the work
// as well: a file that renews is told what is missing, and an extend() that adds
// has no bound.
func TestExtendWithoutPace(t *testing.T) {
	lib, err := Get("redis-py")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		finding, bounded, lacks bool
	}{"adds": {true, false, true}, "replaces": {false, true, true}, "reacquire": {false, true, true}, "a list": {false, true, false}} {
		all, err := ParseAll(lib, "w.py", []byte(extendReadings[name].text))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %d locks", name, err, len(all))
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: all[0].Values})
		if err != nil {
			t.Fatal(err)
		}
		lacks := strings.HasPrefix(all[0].Lacks["reacquire_every"], "LP106")
		if (severityOf(v, "LP566") == "error") != want.finding || (v.Consequences.FreeMax != nil) != want.bounded || lacks != want.lacks {
			t.Errorf("%s: LP566 %q, free %v, %v", name, severityOf(v, "LP566"), v.Consequences.FreeMax, all[0].Lacks)
		}
	}
}
