package cmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/profiles/library"
)

// needs are a service's inputs as they are typed.
func needs(t *rapid.T) []string {
	ms := func(name string, least, most int) string {
		return fmt.Sprintf("%dms", rapid.IntRange(least, most).Draw(t, name))
	}
	args := []string{"--p999", ms("hold", 1, 30_000), "--pause", ms("pause", 0, 4000)}
	if rapid.Bool().Draw(t, "measured network") {
		args = append(args, "--rtt", ms("rtt", 1, 500))
	} else {
		args = append(args, "--margin", ms("margin", 1, 2000))
	}
	if rapid.Bool().Draw(t, "rto") {
		args = append(args, "--rto", ms("target", 20, 90_000))
	}
	if rapid.Bool().Draw(t, "deadline") {
		args = append(args, "--deadline", ms("by", 300, 20_000), "--work", ms("work", 1, 250), "--reply", "10ms")
	}
	if mode := rapid.SampledFrom([]string{"", "fixed", "renewed"}).Draw(t, "mode"); mode != "" {
		args = append(args, "--mode", mode)
	}
	if k := rapid.IntRange(0, 2).Draw(t, "failures"); k != 1 {
		args = append(args, "--failures", fmt.Sprint(k))
	}
	return args
}

// library compare says yes for exactly the libraries for which emit writes a
// configuration from the same inputs.
func TestCompareIsEmit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := needs(t)
		have := rapid.SampledFrom([]string{"redis", "zookeeper", "etcd", "consul", "kubernetes"}).Draw(t, "have")
		_, stdout, stderr := run("", append([]string{"library", "compare", "-o", "json", "--have", have}, args...)...)
		var doc comparison
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		for _, c := range doc.Candidates {
			if c.Store != have {
				continue
			}
			code, _, stderr := run("", append([]string{"emit", "--library", c.Library}, args...)...)
			if c.Fits != (code == exitDone) {
				t.Fatalf("%s: compare says %v (%s), emit ends with %d: %s", c.Library, c.Fits, c.Reason, code, stderr)
			}
		}
	})
}

// What a refusal names as the nearest is written when it is typed.
func TestNearestWorks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := append([]string{"emit", "--library", rapid.SampledFrom(library.Names()).Draw(t, "library")}, needs(t)...)
		code, _, stderr := run("", args...)
		if code != exitNo {
			return
		}
		_, near, found := strings.Cut(stderr, "lockplan: hint: the nearest it can: ")
		if !found {
			if !strings.Contains(stderr, "no single input is enough") {
				t.Fatalf("%v: no nearest, and no word why: %s", args, stderr)
			}
			return
		}
		for typed := range strings.SplitSeq(strings.TrimSpace(near), ", or ") {
			flag := strings.Fields(typed)
			with := slices.Clone(args)
			if at := slices.Index(with, flag[0]); at >= 0 {
				with[at+1] = flag[1]
			} else {
				with = append(with, flag...)
			}
			if code, _, again := run("", with...); code != exitDone {
				t.Fatalf("%v: exit %d: %s", with, code, again)
			}
		}
	})
}

// A key that is given is written as it was given, or refused; never passed
// over.
func TestGivenKeysAreKept(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string // in the file; "" is a refusal
	}{
		{"a lease in steps", []string{"--library", "client-go", "--set", "leaseDuration=15s", "--p999", "1s", "--pause", "0s", "--rtt", "1ms"}, "leaseDuration: 15s"},
		{"a watchdog", []string{"--library", "redisson@4", "--set", "lockWatchdogTimeout=30000", "--mode", "renewed", "--p999", "1s", "--pause", "0s", "--rtt", "1ms"}, "lockWatchdogTimeout: 30000"},
		{"a key that no plan has", []string{"--library", "redisson@4", "--set", "connectTimeout=500", "--p999", "1s", "--pause", "1s"}, "connectTimeout: 500"},
		{"a lease that is too short", []string{"--library", "redis-py", "--set", "timeout=1", "--p999", "1s", "--pause", "1s"}, ""},
		{"a call that is too long", []string{"--library", "go-redis", "--set", "renewInterval=1h", "--mode", "renewed", "--p999", "1s", "--pause", "1s"}, ""},
		{"a longest session", []string{"--library", "zookeeper", "--set", "tickTime=2000", "--set", "maxSessionTimeout=120000", "--p999", "1s", "--pause", "15s"}, "maxSessionTimeout=120000"},
	} {
		code, stdout, stderr := run("", append([]string{"emit"}, c.args...)...)
		if c.want == "" {
			if code != exitNo || !strings.Contains(stderr, "leave --set") {
				t.Errorf("%s: exit %d: %s", c.name, code, stderr)
			}
			continue
		}
		if code != exitDone || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit %d, no %q in %s%s", c.name, code, c.want, stdout, stderr)
		}
	}
	if code, _, stderr := run("", "emit", "--library", "etcd", "--set", "application.stopWork=1s", "--p999", "1s", "--pause", "1s"); code == exitDone {
		t.Errorf("a stop-work point is given: %s", stderr)
	}
}
