package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// changedJSON is a JSON plan with a number replaced.
func changedJSON(t *testing.T, plan, old, new string) string {
	t.Helper()
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %s", plan, old)
	}
	path := filepath.Join(t.TempDir(), "changed.json")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), old, new)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// T_min is 800ms + 1.5s + 700ms = 3s (F1), or 800ms + 9s + 700ms = 10.5s once
// the pauses have grown.
func TestRolloutOfUnsafeEnds(t *testing.T) {
	quiet, paused := planFile(t, "p999: 800ms, margin: 700ms, mode: fixed"), filepath.Join(t.TempDir(), "paused.yaml")
	text, err := os.ReadFile(quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paused, []byte(strings.Replace(string(text), "pause: 1.5s", "pause: 9s", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	planned := plannedJSON(t, quiet)
	short := changedJSON(t, planned, `"ttl_seconds": 3,`, `"ttl_seconds": 1,`)
	late := changedJSON(t, planned, `"stop_work_seconds": 0.8`, `"stop_work_seconds": 2.9`)
	for _, c := range []struct {
		name, old, new string
		code           int
		severity, says string
	}{
		{"pauses grew", quiet, paused, 0, "warning", "the old state is unsafe by itself until step 1 is done everywhere: LP101: a fixed lease of 3s is below T_min 10.5s"},
		{"pauses shrank", paused, quiet, 3, "error", "the new state is unsafe by itself: LP101: a fixed lease of 3s is below T_min 10.5s"},
		{"to a short TTL", planned, short, 3, "error", "the new state is unsafe by itself: LP101: a fixed lease of 1s is below T_min 3s"},
		{"from a short TTL", short, planned, 0, "warning", "the old state is unsafe by itself until step 1 is done everywhere: LP101: a fixed lease of 1s is below T_min 3s"},
		{"to late work", planned, late, 3, "error", "LP121: a stop-work limit of 2.9s comes too late: the lease of 3s allows work until 800ms"},
		{"an unsafe plan that stays", late, late, 3, "error", "LP121: a stop-work limit of 2.9s comes too late"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := run("", "rollout", c.old, c.new, "-o", "json")
			if code != c.code || code == 3 && !strings.Contains(stderr, "LP401") {
				t.Errorf("exit %d, want %d: %s", code, c.code, stderr)
			}
			var doc rolloutDoc
			if err := json.Unmarshal([]byte(out), &doc); err != nil {
				t.Fatal(err)
			}
			r := doc.Services[0]
			if r.Safe || len(r.Findings) == 0 || r.Findings[0].ID != "LP401" || r.Findings[0].Severity.String() != c.severity || !strings.Contains(r.Findings[0].Message, c.says) {
				t.Errorf("safe %v, findings %+v, want %q", r.Safe, r.Findings, c.says)
			}
			if len(r.Steps) == 0 && c.old != c.new {
				t.Error("no steps")
			}
			if _, table, _ := run("", "rollout", c.old, c.new); strings.Contains(table, "safe in every mix") || !strings.Contains(table, "LP401") {
				t.Errorf("the table calls it safe:\n%s", table)
			}
		})
	}
}

// A plan whose hold contains its pauses says so in its terms; a rollout of it
// to itself has nothing to say.
func TestRolloutOfIncludedPauses(t *testing.T) {
	plan := plannedJSON(t, planFile(t, "p50: 300ms, p999: 800ms, margin: 700ms, pause-included: true"))
	if code, out, stderr := run("", "rollout", plan, plan); code != 0 || !strings.Contains(out, "nothing to roll out") || strings.Contains(out, "LP401") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

// The document of such a plan holds neither its median hold nor its pause: the
// stop-work point says them, and the drift says itself.
func TestRolloutOfIncludedPausesThatDiffer(t *testing.T) {
	old, new := planFile(t, "p50: 300ms, p999: 800ms, margin: 700ms, drift: 0.001, pause-included: true"), planFile(t, "p50: 300ms, p999: 9s, margin: 700ms, drift: 0.001, pause-included: true")
	for _, pair := range [][2]string{{old, new}, {new, old}, {plannedJSON(t, old), plannedJSON(t, new)}, {plannedJSON(t, new), plannedJSON(t, old)}, {plannedJSON(t, old), new}} {
		if code, out, stderr := run("", "rollout", pair[0], pair[1]); code != 0 || !strings.Contains(out, "2 steps, safe in every mix") {
			t.Errorf("exit %d: %s%s", code, out, stderr)
		}
	}
}

// B7 from and to a renewed plan, whose terms do not say that the hold contains
// its pauses: T_min is max(800ms, 300ms + 1.5s) + 700ms = 2.5s, below the 3s of
// F1. The median stands in the inputs, also where a file gives it.
func TestRolloutOfIncludedPausesAndRenewals(t *testing.T) {
	observed := filepath.Join(t.TempDir(), "hold.csv") // P50 below 300ms, all others below 800ms
	write(t, observed, "hold_ms\n"+strings.Repeat("299\n", 2000)+strings.Repeat("799\n", 1500))
	const claimed = "p50: 300ms, p999: 800ms, margin: 700ms, pause-included: "
	file := "hold: {file: " + observed + "}, margin: 700ms, pause-included: "
	for _, hold := range []string{claimed, file} {
		fixed, renewed := planFile(t, hold+"yes, mode: fixed"), planFile(t, hold+"yes, mode: renewed")
		for _, pair := range [][2]string{{fixed, renewed}, {renewed, fixed}} {
			pair[0], pair[1] = plannedJSON(t, pair[0]), plannedJSON(t, pair[1])
			if code, out, stderr := run("", "rollout", pair[0], pair[1]); code != 0 || !strings.Contains(out, "1 step, safe in every mix") || !strings.Contains(out, "2.5s") {
				t.Errorf("exit %d: %s%s", code, out, stderr)
			}
		}
		// Where it does not, 2.5s is no safe lease: LP101 with F1's 3s.
		apart := plannedJSON(t, planFile(t, hold+"no, mode: renewed"))
		if code, _, stderr := run("", "rollout", apart, plannedJSON(t, fixed)); code != 3 || !strings.Contains(stderr, "T_min 3s") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		// Without the median the pause counts on top of the hold.
		unsaid := changedJSON(t, plannedJSON(t, renewed), `"name": "p50"`, `"name": "p50 of another"`)
		if code, _, stderr := run("", "rollout", unsaid, plannedJSON(t, fixed)); code != 3 || !strings.Contains(stderr, "T_min 3s") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		for median, says := range map[string]string{"300": "300", "-1s": "negative", "9999w": "out of range"} {
			bad := changedJSON(t, plannedJSON(t, renewed), `"value": "300ms"`, `"value": "`+median+`"`)
			if code, _, stderr := run("", "rollout", bad, bad); code != 2 || !strings.Contains(stderr, "the input p50") || !strings.Contains(stderr, says) {
				t.Errorf("%s: exit %d: %s", median, code, stderr)
			}
		}
	}
}

// Each way between the plans of testdata/rollout, every printed check passes
// and every step changes something. Where the deadline goes, the work that it
// must have room for goes with it: redisson.yaml's 1s - 450ms - 100ms leaves
// 450ms for a wait of 449ms.
func TestRolloutChecksBesideADeadline(t *testing.T) {
	names := []string{"fixed", "redisson", "renewed", "zookeeper"}
	for _, old := range names {
		for _, new := range names {
			code, out, stderr := run("", "rollout", "../testdata/rollout/"+old+".yaml", "../testdata/rollout/"+new+".yaml", "-o", "json")
			if code != 0 {
				if (old != "redisson" && old != "zookeeper") || !strings.Contains(stderr, "LP401") {
					t.Errorf("%s to %s: exit %d: %s", old, new, code, stderr)
				}
				continue
			}
			var doc rolloutDoc
			if err := json.Unmarshal([]byte(out), &doc); err != nil {
				t.Fatal(err)
			}
			for i, s := range doc.Services[0].Steps {
				if s.From == s.To {
					t.Errorf("%s to %s, step %d: %s: %s to %s is no step", old, new, i+1, s.Part, s.From, s.To)
				}
				for _, check := range slices.Concat(s.Before.Checks, s.After.Checks) {
					if code, out, stderr := run("", strings.Fields(check)[1:]...); code != 0 {
						t.Errorf("%s to %s, step %d: %s\nexit %d: %s%s", old, new, i+1, check, code, stderr, out)
					}
				}
			}
		}
	}
}

// Two names are two locks; a plan of ttl has none and is of either.
func TestRolloutPairsByName(t *testing.T) {
	alpha := planFile(t, "p999: 800ms, margin: 700ms, mode: fixed")
	text, err := os.ReadFile(alpha)
	if err != nil {
		t.Fatal(err)
	}
	beta := filepath.Join(t.TempDir(), "beta.yaml")
	write(t, beta, strings.Replace(strings.Replace(string(text), "stock", "beta", 1), "800ms", "1600ms", 1))
	if code, out, stderr := run("", "rollout", alpha, beta); code != 0 || out != "beta: added, nothing runs beside it\n\nstock: removed, nothing runs beside it\n" {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	_, unnamed, _ := run("", "ttl", "--p999", "800ms", "--pause", "1.5s", "--margin", "700ms", "--mode", "fixed", "--fencing", "yes", "-o", "json")
	if code, out, stderr := run(unnamed, "rollout", "-", beta); code != 0 || !strings.HasPrefix(out, "beta: 2 steps, safe in every mix") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

func TestRolloutOfAnotherSchema(t *testing.T) {
	good := plannedJSON(t, planFile(t, "p999: 800ms"))
	twice, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Schema string            `json:"schema"`
		Plans  []json.RawMessage `json:"plans"`
	}
	if err := json.Unmarshal(twice, &list); err != nil {
		t.Fatal(err)
	}
	list.Plans = append(list.Plans, list.Plans...)
	if twice, err = json.Marshal(list); err != nil {
		t.Fatal(err)
	}
	double := filepath.Join(t.TempDir(), "twice.json")
	write(t, double, string(twice))
	for _, path := range []string{
		changedJSON(t, good, "lockplan/plans/v1", "lockplan/plans/v9"),
		changedJSON(t, good, "lockplan/plans/v1", "lockplan9/plans/v1"),
		changedJSON(t, good, "lockplan/plan/v1", "lockplan/plan/v2"),
		double,
	} {
		if code, _, stderr := run("", "rollout", path, good); code != 2 || !strings.Contains(stderr, path) {
			t.Errorf("exit %d: %s", code, stderr)
		}
	}
}
