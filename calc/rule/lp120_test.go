package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

func TestLP120(t *testing.T) {
	if _, ok := OneSize(Place{}, "stock", d("20ms"), "order", d("200ms"), d("30s")); ok {
		t.Error("a factor of 10 is not more than 10")
	}
	f, ok := OneSize(Place{"lockplan.yaml", 7}, "migration", d("30m"), "stock", d("20ms"), d("31m"))
	if !ok || f.Line != 7 || f.Severity != finding.Warning {
		t.Errorf("OneSize = %v, %v", f, ok)
	}
	contains(t, f.Message, "migration", "30m", "stock", "20ms", "31m")

	for hold, want := range map[string]bool{"5ms": false, "100ms": false, "4999us": true, "100001us": true} {
		if _, ok := OutsideProfile(Place{}, "stock", d(hold), "inventory", d("5ms"), d("100ms")); ok != want {
			t.Errorf("OutsideProfile(%s) = %v, want %v", hold, ok, want)
		}
	}
}
