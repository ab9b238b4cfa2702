package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP204(t *testing.T) {
	for _, tt := range []struct {
		value, rtt string
		want       bool
	}{
		{"0s", "", true}, {"3ms", "", true}, {"3001us", "", false},
		{"60ms", "20ms", true}, {"61ms", "20ms", false},
		{"1d", "", false}, {"25h", "", true}, // "longer than 24 h"
	} {
		f, ok := LP204.unitSuspect(Place{}, "the TTL", d(tt.value), d(tt.rtt))
		if ok != tt.want || ok && f.ID != "LP204" {
			t.Errorf("unitSuspect(%s, %s) = %v, %v", tt.value, tt.rtt, f, ok)
		}
	}
	f, _ := LP204.unitSuspect(Place{}, "the TTL", d("3ms"), 0)
	contains(t, f.Message, "3ms or 3s?") // 3 SECONDS typed as 3 MILLISECONDS

	if _, ok := UnitPeers(Place{}, "a", d("999ms"), "b", d("1ms")); ok {
		t.Error("999 is below a factor of 1000")
	}
	f, ok := UnitPeers(Place{}, "P50 of a.prom", d("1s"), "b.prom", d("1ms"))
	if !ok {
		t.Error("a factor of 1000 is suspect")
	}
	contains(t, f.Message, "1s", "1ms", "b.prom")

	says(t, LP204, running(t, bare(), fixed("3ms"), Setup{Wait: is("0s")}), "error")
	says(t, LP204, running(t, bare(), fixed("3s"), Setup{Wait: is("3ms")}), "error")
	says(t, LP204, running(t, bare(), fixed("25h"), Setup{}), "error")
	says(t, LP204, running(t, bare(), fixed("25h"), Setup{AtMost: is("25h")}), "") // a job of a day
	far := bare()
	far.RTT, far.Margin = is("200ms"), is("300ms")
	says(t, LP204, running(t, far, fixed("10s"), Setup{Attempt: is("199ms")}), "error") // R2: Tr >= rtt
	says(t, LP204, running(t, far, fixed("10s"), Setup{Attempt: is("200ms")}), "")
	says(t, LP204, running(t, far, fixed("10s"), Setup{Reply: is("199ms"), Command: is("1s")}), "error") // each of its tries is cut off
	says(t, LP204, running(t, far, fixed("10s"), Setup{Reply: is("200ms"), Command: is("1s")}), "")

	// A plan on a slow network has a TTL of few round trips, and is sound.
	slow := calc.Inputs{Hold: is("50ms"), Pause: is("0s"), RTT: is("1s")}
	says(t, LP204, running(t, slow, fixed("1150ms"), Setup{}), "") // 50 ms + 1 s + 100 ms
	says(t, LP204, running(t, slow, fixed("1149ms"), Setup{}), "error")
}

// findings.md: longer than 24 h. A job that a schedule limits may take a day,
// and an observed hold is judged where it is read.
func TestLP204Hold(t *testing.T) {
	for hold, want := range map[string]string{"24h": "", "25h": "error"} {
		in := calc.Inputs{Hold: is(hold)}
		c := running(t, in, fixed("24h"), Setup{})
		says(t, LP204, c, want)
		c.Planned = true
		says(t, LP204, c, want)
	}
	says(t, LP204, running(t, calc.Inputs{Hold: is("25h")}, fixed("24h"), Setup{AtMost: is("48h")}), "")
	in := calc.Inputs{Hold: is("25h")}
	in.Hold.Kind = calc.Observed
	says(t, LP204, running(t, in, fixed("24h"), Setup{}), "")
}
