package rule

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

func TestLP201(t *testing.T) {
	f := Unbounded(Place{"hold.prom", 3}, "P99.9 of hold_seconds", d("1s"), 100, 10000, "--mode renewed")
	contains(t, f.Message, "P99.9 of hold_seconds", "100 of 10 000", "1s")
	if f.ID != "LP201" || f.Severity != finding.Error || f.File != "hold.prom" || f.Line != 3 || *f.Limit != d("1s") {
		t.Errorf("Unbounded = %+v", f)
	}
	// Samples that no bucket holds have no edge to lie above.
	if f = Unbounded(Place{}, "P99.9", 0, 3, 10000, "--mode renewed"); strings.Contains(f.Message+f.Fix, "0s") {
		t.Errorf("Unbounded = %+v", f)
	}
	contains(t, f.Message, "3 of 10 000")
}
