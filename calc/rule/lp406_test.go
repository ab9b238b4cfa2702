package rule

import "testing"

func TestLP406(t *testing.T) {
	f := Worse(Place{}, "the worst takeover", d("3.7s"), d("5s"))
	contains(t, f.Message, "the worst takeover is 5s", "baseline 3.7s")
}
