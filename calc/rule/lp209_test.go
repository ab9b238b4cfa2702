package rule

import "testing"

func TestLP209(t *testing.T) {
	contains(t, MixedLayouts(Place{}, "hold_seconds", 3, 2).Message, "3 series of hold_seconds", "2 different")
}
