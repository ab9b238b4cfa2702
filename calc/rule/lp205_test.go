package rule

import "testing"

func TestLP205(t *testing.T) {
	f := Averaged(Place{"hold.prom", 2}, "hold_seconds", "2 summaries cannot be merged")
	contains(t, f.Message, "hold_seconds", "2 summaries cannot be merged")
}
