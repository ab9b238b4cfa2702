package input

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// Of 9 000 holds 4 000 took up to 1 s, 1 000 up to 5 s and 4 000 longer: a
// longest hold of 5 s or less is not one.
func TestMaxBelowWhatWasSeen(t *testing.T) {
	for _, c := range []struct{ name, text, max, says string }{
		{"buckets, 1s", histogram("h_seconds", 9000, 1, 4000, 5, 5000), "1s", "5000 of 9000 samples of h: h_seconds are longer, the longest at least 5s"},
		{"buckets, the last edge", histogram("h_seconds", 9000, 1, 4000, 5, 5000), "5s", "4000 of 9000"},
		{"buckets, between", histogram("h_seconds", 9000, 1, 4000, 5, 5000), "3s", "4000 of 9000"},
		{"buckets, above", histogram("h_seconds", 9000, 1, 4000, 5, 5000), "5001ms", ""},
		{"buckets, one that may be shorter", histogram("h_seconds", 9000, 1, 4000, 5, 9000), "3s", ""},
		{"buckets, all within", histogram("h_seconds", 9000, 1, 9000, 5, 9000), "1s", ""},
		{"single samples", "1.000000s\n2.000000s\n3.000000s\n", "2s", "1 of 3 samples"},
		{"single samples, the longest", "1.000000s\n2.000000s\n3.000000s\n", "3s", ""},
		{"percentiles", "h_seconds{quantile=\"0.5\"} 1\nh_seconds{quantile=\"0.999\"} 7\nh_seconds_count 9\n", "2s", "P99.9 of h: h_seconds is 7s"},
		{"percentiles, above", "h_seconds{quantile=\"0.5\"} 1\nh_seconds{quantile=\"0.999\"} 7\nh_seconds_count 9\n", "8s", ""},
	} {
		got, err := Resolve(said("hold", "h", "since-start", "true", "max", c.max), Outside{Open: files{"h": c.text}.open})
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says == "":
		case err == nil || fault.ClassOf(err) != fault.Usage || !strings.Contains(err.Error(), "--max "+c.max) || !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: %v, inputs %+v", c.name, err, got.Inputs.Hold)
		}
	}
	// A longest hold bounds percentiles that are higher than those of the file, not these.
	text := "h_seconds{quantile=\"0.5\"} 1\nh_seconds{quantile=\"0.999\"} 7\nh_seconds_count 9\n"
	got, err := Resolve(said("hold", "h", "since-start", "true", "max", "60s"), Outside{Open: files{"h": text}.open})
	if err != nil || got.Inputs.Hold.Value != 7*s {
		t.Errorf("%+v, %v", got.Inputs.Hold, err)
	}
}
