package rule

import "testing"

func TestLP407(t *testing.T) {
	f := SuppressionExpired(Place{"lockplan.yaml", 12}, "LP113", "2027-03-01", "moves to batch")
	contains(t, f.Message, "LP113", "2027-03-01", "moves to batch")
	if f.Line != 12 {
		t.Errorf("line %d", f.Line)
	}
}
