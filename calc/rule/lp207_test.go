package rule

import "testing"

func TestLP207(t *testing.T) {
	contains(t, NoWindow(Place{}, "hold_seconds").Fix, "--since-start")
}
