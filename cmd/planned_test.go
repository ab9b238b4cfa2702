package cmd

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
)

// emittable are the libraries, with the versions that plan unlike the newest.
func emittable() []string {
	return append(library.Names(), "redisson@3.43", "redisson@3.47", "spring-integration@6.3", "redis-py@7.0")
}

// ttl is never more willing than emit: what it says yes to with a library named
// is written.
func TestTTLIsNoBetterThanEmit(t *testing.T) {
	for _, name := range emittable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yes := 0
			for _, hold := range []string{"50ms", "20s"} {
				for _, pause := range []string{"200ms", "1.5s"} {
					for _, rtt := range []string{"1ms", "150ms", "600ms"} {
						for _, rto := range []string{"", "5s", "15s", "60s"} {
							said := map[string]string{"library": name, "p999": hold, "pause": pause, "rtt": rtt}
							if rto != "" {
								said["rto"] = rto
							}
							if oneChance(t, name) {
								said["failures"] = "0"
							}
							planned, emitted := exitsOf(t, said)
							if planned < emitted {
								t.Errorf("%v: ttl ends with %d, emit with %d", said, planned, emitted)
							}
							if planned == exitDone {
								yes++
							}
						}
					}
				}
			}
			if yes < 10 {
				t.Errorf("only %d plans", yes)
			}
		})
	}
}

// oneChance reports whether a library's first failed renewal is its last.
func oneChance(t *testing.T, name string) bool {
	t.Helper()
	lib, err := library.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return lib.Traits().OneChance
}

// exitsOf are the exit codes of ttl and emit; emit's without its search for the
// nearest plan, which changes none.
func exitsOf(t *testing.T, said map[string]string) (planned, emitted int) {
	t.Helper()
	set := input.Set{}
	for key, text := range said {
		set[key] = input.Value{Texts: []string{text}, Source: "--" + key}
	}
	a := newApp(strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
	got, p, err := a.planOf(inputFlags{said: set})
	if err != nil {
		t.Fatal(err)
	}
	code := func(err error) int {
		var v verdict
		if err != nil && !errors.As(err, &v) {
			t.Fatal(err)
		}
		return v.code
	}
	_, err = tryAll("", got, got.Inputs.Library.(library.Library), nil)
	return code(answer(p)), code(err)
}

// A plan on a library is a baseline that the configuration which emit writes
// from the same inputs stands up to (LP406), even where the library's floor
// makes its lease longer: Redisson's sends of 100 ms, with a margin of 101 ms.
func TestPlanIsTheBaselineOfItsConfiguration(t *testing.T) {
	for _, name := range emittable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plans := 0
			for _, inputs := range [][]string{
				{"--p999", "20s", "--pause", "0s", "--rtt", "1ms", "--rto", "15s"},
				{"--p999", "20s", "--pause", "400ms", "--rtt", "150ms", "--rto", "19s"},
				{"--p999", "300ms", "--pause", "1.1s", "--rtt", "333us", "--deadline", "30s", "--work", "200ms", "--reply", "10ms"},
				{"--p999", "20s", "--pause", "1.7s", "--margin", "250ms", "--mode", "renewed"},
			} {
				inputs := append(slices.Clone(inputs), "--library", name, "--fencing", "yes")
				if oneChance(t, name) {
					inputs = append(inputs, "--failures", "0")
				}
				if name == "shedlock" { // whose next run is the schedule's
					inputs = append(inputs, "--detect", "5s")
				}
				dir := t.TempDir()
				code, document, stderr := run("", append([]string{"ttl", "-o", "json"}, inputs...)...)
				if code == exitNo {
					continue
				}
				if code != exitDone {
					t.Fatalf("%v: exit %d: %s", inputs, code, stderr)
				}
				plans++
				baseline, file := filepath.Join(dir, "plan.json"), filepath.Join(dir, "emitted.yaml")
				write(t, baseline, document)
				code, config, stderr := run("", append([]string{"emit", "--format", "yaml"}, inputs...)...)
				if code != exitDone {
					t.Fatalf("%v: emit ends with %d: %s", inputs, code, stderr)
				}
				write(t, file, config)
				inputs = slices.DeleteFunc(inputs, func(s string) bool { return s == "--mode" || s == "renewed" })
				code, out, stderr := run("", append([]string{"check", file, "--baseline", baseline}, inputs...)...)
				if strings.Contains(out, "warning LP406") || code != exitDone {
					t.Errorf("%v: exit %d: %s%s\n%s", inputs, code, out, stderr, config)
				}
			}
			if plans == 0 {
				t.Error("no plan")
			}
		})
	}
}
