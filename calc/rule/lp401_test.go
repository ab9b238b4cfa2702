package rule

import "testing"

func TestLP401(t *testing.T) {
	f := RolloutUnsafe(Place{}, "stock", "TTL 3s (old) with hold 5s (new): LP101", "raise the TTL first")
	contains(t, f.Message, "stock", "LP101")
}
