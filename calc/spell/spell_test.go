package spell

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1 000", 29956: "29 956", math.MaxUint64: "18 446 744 073 709 551 615"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for q, want := range map[float64]string{
		0: "0", 0.5: "50", 0.95: "95", 0.999: "99.9", 0.9999: "99.99", 0.999999999: "99.9999999", 0.07: "7", 0.29: "29", 1: "100", 1e-9: "0.0000001",
		math.Inf(1): "+Inf", 1e308: "+Inf",
	} {
		if got := Percent(q); got != want {
			t.Errorf("%g: %q, want %q", q, got, want)
		}
	}
	if got := Percentile(0.999); got != "P99.9" {
		t.Errorf("%q", got)
	}
}
