package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// everyday are the changes that people roll out, each way.
var everyday = []struct{ name, old, new, steps string }{
	{"TTL raised", "p999: 800ms", "p999: 5s", "lease TTL, work limits"},
	{"TTL lowered", "p999: 5s", "p999: 800ms", "work limits, lease TTL"},
	{"watchdog switched on", "{library: redisson, p99: 400ms, p999: 800ms, mode: fixed}", "{library: redisson, p99: 8s, p999: 20s, mode: renewed}", "lease, work limits"},
	{"watchdog switched off", "{library: redisson, p99: 8s, p999: 20s, mode: renewed}", "{library: redisson, p99: 400ms, p999: 800ms, mode: fixed}", "work limits, lease"},
	{"renewals switched on", "p999: 800ms", "{p99: 8s, p999: 20s, mode: renewed}", "lease TTL, renewals, work limits"},
	{"library changed", "{library: redisson, p999: 800ms}", "{library: etcd, p999: 800ms}", "take both locks, drop the old lock, work limits"},
	{"deadline and wait cut", "{p999: 800ms, margin: 100ms, deadline: 2s, work: 450ms, reply: 100ms}", "{p999: 800ms, margin: 100ms, deadline: 1s, work: 450ms, reply: 100ms}", "acquire wait, outer timeouts"},
}

// planFile writes a plan file with one service.
func planFile(t *testing.T, inputs string) string {
	t.Helper()
	inputs = strings.Trim(inputs, "{}")
	text := "apiVersion: lockplan/v1\nservices:\n  stock: {" + inputs + ", pause: 1.5s, fencing: yes}\n"
	path := filepath.Join(t.TempDir(), "lockplan.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// plannedJSON writes the plan of a file as JSON.
func plannedJSON(t *testing.T, file string) string {
	t.Helper()
	code, out, stderr := run("", "plan", "-f", file, "-o", "json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRolloutStatesPassCheck holds every state that any process has during
// the rollout against check, as a person would type it.
func TestRolloutStatesPassCheck(t *testing.T) {
	for _, c := range everyday {
		t.Run(c.name, func(t *testing.T) {
			oldFile, newFile := planFile(t, c.old), planFile(t, c.new)
			for _, pair := range [][2]string{{oldFile, newFile}, {plannedJSON(t, oldFile), plannedJSON(t, newFile)}, {plannedJSON(t, oldFile), newFile}} {
				code, out, stderr := run("", "rollout", pair[0], pair[1], "-o", "json")
				if code != 0 {
					t.Fatalf("exit %d: %s", code, stderr)
				}
				var doc rolloutDoc
				if err := json.Unmarshal([]byte(out), &doc); err != nil {
					t.Fatal(err)
				}
				var parts []string
				for _, s := range doc.Services[0].Steps {
					parts = append(parts, s.Part)
					for _, state := range []stateDoc{s.Before, s.After} {
						for _, check := range state.Checks {
							if code, out, stderr := run("", strings.Fields(check)[1:]...); code != 0 {
								t.Errorf("%s\nexit %d: %s%s", check, code, stderr, out)
							}
						}
					}
				}
				// A JSON plan does not hold the deadline: there is no step for it.
				want := c.steps
				if strings.HasSuffix(pair[0], ".json") {
					want = strings.TrimSuffix(want, ", outer timeouts")
				}
				if got := strings.Join(parts, ", "); got != want && !(pair[1] == newFile && strings.Contains(c.steps, "outer")) {
					t.Errorf("%v: steps %q, want %q", pair, got, want)
				}
			}
		})
	}
}

// TestRolloutAfterAFactGrew: pauses that grew make the old plan unsafe by
// itself; the rollout leads out of it and never further in, servers first.
func TestRolloutAfterAFactGrew(t *testing.T) {
	code, out, stderr := run("", "rollout", "-o", "json", planFile(t, "library: zookeeper, p999: 800ms, margin: 700ms"), planFile(t, "library: zookeeper, p999: 800ms, margin: 2s"))
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var doc rolloutDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, s := range doc.Services[0].Steps {
		parts = append(parts, s.Part)
	}
	if got := strings.Join(parts, ", "); got != "server maximum, lease, work limits" {
		t.Errorf("steps %q", got)
	}
	last := doc.Services[0].Steps[len(parts)-1].After.Checks[0]
	if code, out, stderr := run("", strings.Fields(last)[1:]...); code != 0 {
		t.Errorf("%s\nexit %d: %s%s", last, code, stderr, out)
	}
}

func TestRolloutWithoutAnOrder(t *testing.T) {
	const budget = ", p999: 800ms, deadline: 1s, work: 450ms, reply: 100ms"
	code, out, stderr := run("", "rollout", planFile(t, "library: redisson"+budget), planFile(t, "library: zookeeper"+budget), "-o", "json")
	if code != 3 || !strings.Contains(stderr, "LP401") || !strings.Contains(stderr, "zookeeper 8.7s renewed every 2.9s and redisson 3s") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	var doc rolloutDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	r := doc.Services[0]
	if r.Safe || len(r.Findings) != 1 || r.Findings[0].ID != "LP401" || r.Findings[0].Line == nil || *r.Findings[0].Line != 3 {
		t.Errorf("%s", out)
	}
}

func TestRolloutOfServices(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old.yaml")
	text := "apiVersion: lockplan/v1\nservices:\n  stays: {p999: 800ms, pause: 1s}\n  goes: {p999: 800ms, pause: 1s}\n"
	if err := os.WriteFile(old, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := run(strings.Replace(text, "goes", "comes", 1), "rollout", old, "-")
	if code != 0 || out != "stays: nothing to roll out\n\ncomes: added, nothing runs beside it\n\ngoes: removed, nothing runs beside it\n" {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

func TestRolloutRefuses(t *testing.T) {
	good := planFile(t, "p999: 800ms")
	for _, c := range []struct {
		name, text, says string
		code             int
	}{
		{"no plan", "{}", "is neither", 2},
		{"broken JSON", "{", "no plan of lockplan", 2},
		{"infeasible JSON", `{"schema":"lockplan/plan/v1","service":"x","library":"generic","feasible":false}`, "no feasible plan", 2},
		{"unknown library", `{"schema":"lockplan/plan/v1","library":"nope","feasible":true,"ttl_seconds":3,"stop_work_seconds":1,"max_hold_seconds":1}`, "nope", 2},
		{"infeasible file", "apiVersion: lockplan/v1\nservices:\n  x: {p999: 10s, pause: 1s, rto: 2s}\n", "LP103", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			if code, _, stderr := run(c.text, "rollout", "-", good); code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d, want %d, saying %q: %s", code, c.code, c.says, stderr)
			}
		})
	}
	if code, _, _ := run("", "rollout", good); code != 2 {
		t.Errorf("one plan: exit %d", code)
	}
}
