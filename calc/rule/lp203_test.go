package rule

import "testing"

func TestLP203(t *testing.T) {
	for _, tt := range []struct {
		lower, upper string
		want         bool
	}{{"750ms", "1s", false}, {"749ms", "1s", true}, {"0s", "5ms", true}, {"5ms", "5ms", false}} {
		if f, ok := Coarse(Place{}, "P99", d(tt.lower), d(tt.upper)); ok != tt.want || ok && f.ID != "LP203" {
			t.Errorf("Coarse(%s, %s) = %v, %v", tt.lower, tt.upper, f, ok)
		}
	}
}
