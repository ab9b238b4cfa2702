package rule

import "testing"

// A probe that kills after 5 + 30 x 3 = 95 s.
func TestLP404(t *testing.T) {
	in := bare()
	for hold, want := range map[string]string{"94s": "", "95s": "error", "2m": "error"} {
		in.Hold = is(hold)
		says(t, LP404, running(t, in, renewed("60s", "20s", "1s"), Setup{KillAfter: is("95s")}), want)
	}
	says(t, LP404, running(t, in, renewed("60s", "20s", "1s"), Setup{}), "not checked")
}
