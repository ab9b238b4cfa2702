package library

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// What a real library does with a value at the edge of a range, and lockplan
// says of it.
const (
	takes   = "takes"   // the value as it is: no error of ours
	refuses = "refuses" // with an error: an error of ours
	bends   = "bends"   // silently, to something that no plan means: an error of ours
	means   = "means"   // silently, to another value: a warning of ours that names it
)

// edge is one configuration of a library, and what comes of it. Beside the
// library's keys set may hold what the probe does with it: held, refresh,
// deadline, watch.
type edge struct {
	set  map[string]string
	does string
	// left is what the server holds afterwards in whole milliseconds, where
	// it is said: -1 no expiry, -2 no key.
	left []int64
}

// edgesOf runs every edge with the real library and holds what it did against
// the table and against lockplan.
func edgesOf(t *testing.T, library, name, addr string, cases []edge) []map[string]any {
	t.Helper()
	if len(cases) < 10 {
		t.Errorf("%s has %d edges", library, len(cases))
	}
	var sets []map[string]string
	for _, c := range cases {
		sets = append(sets, c.set)
	}
	text, err := json.Marshal(sets)
	if err != nil {
		t.Fatal(err)
	}
	rows := probe(t, nil, t.TempDir(), goProgram(t), name, addr, string(text))
	if len(rows) != len(cases) {
		t.Fatalf("%d of %d edges were run", len(rows), len(cases))
	}
	for i, c := range cases {
		what := fmt.Sprintf("%s %v", library, c.set)
		row := rows[i]
		said, run := saidOf(t, library, c.set)
		t.Logf("measured: %s: %v; %s", what, row, c.does)
		if failed := row["error"] != ""; failed != (c.does == refuses) {
			t.Errorf("%s: the library fails: %v, the table says %s", what, row["error"], c.does)
		}
		if worst, any := finding.Worst(said); (any && worst == finding.Error) != (c.does == refuses || c.does == bends) {
			t.Errorf("%s: it %s, lockplan says %v", what, c.does, said)
		} else if c.does == means && !slices.ContainsFunc(said, func(f finding.Finding) bool { return f.ID == LP528.ID }) {
			t.Errorf("%s: it means another value, lockplan says %v", what, said)
		}
		if left, known := row["pttl_ms"].(float64); known && len(c.left) > 0 && !slices.Contains(c.left, int64(left)) {
			t.Errorf("%s: the server holds it for %v ms, the table says %v", what, left, c.left)
		}
		if run == nil || c.does == refuses || c.does == bends {
			continue
		}
		for key, got := range row {
			if text, isText := got.(string); isText && run.Effective[key] != "" {
				if ours := run.Effective[key]; !sameSetting(text, ours) {
					t.Errorf("%s: %s is %s to the library, %s to lockplan", what, key, text, ours)
				}
			}
		}
		// The lease as lockplan reckons with it, and what is left of it.
		left, known := row["pttl_ms"].(float64)
		if !known || !run.HasLease || c.set["held"] != "" || c.set["deadline"] != "" || c.set["watch"] != "" {
			continue
		}
		ttl := float64(run.Library.Granted(run.Lease.TTL).Milliseconds())
		if sent, told := row["sent_ms"].(float64); told && sent != ttl {
			t.Errorf("%s: a lease of %v ms was sent, lockplan says %v", what, sent, ttl)
		}
		if left > ttl || left >= 0 && ttl > 400 && left < ttl-300 {
			t.Errorf("%s: the server holds it for %v ms, lockplan says %v", what, left, ttl)
		}
	}
	return rows
}

// saidOf are the findings of the library's own rules, and a value that cannot
// be read as an error of its own.
func saidOf(t *testing.T, library string, set map[string]string) ([]finding.Finding, *Running) {
	t.Helper()
	lib, err := Get(library)
	if err != nil {
		t.Fatal(err)
	}
	values := Values{}
	for key, text := range set {
		if _, known := lib.Sheet().Key(key); known {
			values[key] = Value{Text: text}
		}
	}
	run := &Running{Library: lib, In: quiet(t, lib), Values: values}
	v, err := Judge(run)
	if err != nil {
		return []finding.Finding{{ID: "usage", Severity: finding.Error, Message: err.Error()}}, nil
	}
	own := slices.DeleteFunc(v.Findings, func(f finding.Finding) bool {
		return !slices.ContainsFunc(Catalogue, func(r rule.Rule) bool { return r.ID == f.ID })
	})
	return own, run
}

// sameSetting compares a value as the library prints it with lockplan's: below
// 0 is none to the Go clients.
func sameSetting(real, ours string) bool {
	if d, err := time.ParseDuration(real); err == nil {
		mine, err := GoText.Parse(ours)
		return ours == "none" && d <= 0 || err == nil && d == mine
	}
	return strings.TrimLeft(real, "-") == ours || ours == "0" && strings.HasPrefix(real, "-")
}

// with is a set of keys and more.
func with(base map[string]string, pairs ...string) map[string]string {
	out := maps.Clone(base)
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}
