package input

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

// A CSV has no labels: beside a page of which --match takes one pod, all of its
// rows count, and that is told.
func TestMatchBesideAnInputWithoutLabels(t *testing.T) {
	f := files{
		"a.prom": pod("a", 4000, 4000) + pod("b", 0, 4000),
		"c.prom": pod("a", 3000, 3000) + pod("c", 1, 1),
		"b.csv":  "pod,hold_s\n" + strings.Repeat("a,0.05\n", 100) + strings.Repeat("b,0.07\n", 100),
	}
	for _, c := range []struct {
		inputs  []string
		samples uint64
		told    string
	}{
		{[]string{"hold", "a.prom", "hold", "b.csv", "column", "hold_s"}, 4200, "b.csv"},
		{[]string{"hold", "b.csv", "hold", "a.prom", "column", "hold_s"}, 4200, "b.csv"},
		{[]string{"hold", "a.prom", "hold", "c.prom"}, 7000, ""},
	} {
		got, err := Resolve(said(append(c.inputs, "match", `pod="a"`, "since-start", "true")...), Outside{Open: f.open})
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, f := range got.Findings {
			if f.ID == "LP208" && f.Severity == finding.Warning && strings.Contains(f.Message, "--match") {
				told += f.File
			}
		}
		if got.Hold.Count() != c.samples || told != c.told {
			t.Errorf("%v: %d samples, told of %q: %v", c.inputs, got.Hold.Count(), told, got.Findings)
		}
	}
}
