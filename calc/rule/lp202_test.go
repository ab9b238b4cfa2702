package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

// B3: P99.9 takes 2 995 samples at 95 %.
func TestLP202(t *testing.T) {
	f := Thin(Place{}, "P99.9 of hold_seconds", 1000, 2995, 0.95, finding.Error)
	contains(t, f.Message, "2 995 samples", "95 %", "1 995 of them are missing")
	if f.Severity != finding.Error {
		t.Errorf("severity %v", f.Severity)
	}
	if f = Thin(Place{}, "P99 of rtt", 298, 299, 0.95, finding.Warning); f.Severity != finding.Warning {
		t.Errorf("severity %v", f.Severity)
	}
	contains(t, f.Message, ": 1 of them")
}
