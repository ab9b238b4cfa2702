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
}
