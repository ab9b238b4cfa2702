package cmd

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// caseFile is a real configuration with what must be said of it.
type caseFile struct {
	ID, Why string
	Argv    []string
	Expect  struct {
		Exit       any
		Findings   []string
		NoFindings []string `json:"no_findings"`
		JSON       map[string]any
	}
}

// TestCases runs testdata/cases/check.json.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("../testdata/cases/check.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []caseFile
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			code, stdout, stderr := run("", c.Argv...)
			exits, many := c.Expect.Exit.([]any)
			if !many {
				exits = []any{c.Expect.Exit}
			}
			if !slices.Contains(exits, any(float64(code))) {
				t.Errorf("%s: exit %d, want %v: %s", c.Why, code, c.Expect.Exit, stderr)
			}
			var doc any
			if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			var found []string
			for _, f := range walk(t, doc, "targets.0.findings").([]any) {
				found = append(found, f.(map[string]any)["id"].(string))
			}
			for _, id := range c.Expect.Findings {
				if !slices.Contains(found, id) {
					t.Errorf("%s: %s is missing among %v", c.Why, id, found)
				}
			}
			for _, id := range c.Expect.NoFindings {
				if slices.Contains(found, id) {
					t.Errorf("%s: %s is found", c.Why, id)
				}
			}
			for path, want := range c.Expect.JSON {
				got, ok := walk(t, doc, path).(float64)
				least, most := want, want
				if bounds, between := want.(map[string]any); between {
					least, most = bounds["min"], bounds["max"]
				}
				if !ok || least != nil && got < least.(float64)-1e-9 || most != nil && got > most.(float64)+1e-9 || math.IsNaN(got) {
					t.Errorf("%s: %s is %v, want %v", c.Why, path, walk(t, doc, path), want)
				}
			}
		})
	}
}

// walk follows a dotted path through a JSON document.
func walk(t *testing.T, doc any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(d) {
				t.Fatalf("%s leads nowhere", path)
			}
			doc = d[i]
		default:
			t.Fatalf("%s leads nowhere", path)
		}
	}
	return doc
}
