package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

// The article's baseline: 200 ms, 3 retries, 200 ms apart is 1400 ms, not 800.
func TestLP303(t *testing.T) {
	command := calc.Claim(calc.Chain(d("200ms"), 3, d("200ms")), "test")
	in := bare()
	in.Deadline = is("1s")
	f := first(t, LP303, running(t, in, fixed("30s"), Setup{Command: command}))
	contains(t, f.Message, "1.4s", "1s")

	says(t, LP303, running(t, bare(), fixed("30s"), Setup{}), "not checked")
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Command: command, Wait: is("1.4s")}), "") // A2: at most A
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Command: command, Wait: is("1399ms")}), "error")
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Command: command, Wait: is("0s")}), "") // a single try
	in.Deadline = is("1.4s")
	says(t, LP303, running(t, in, fixed("30s"), Setup{Command: command}), "error")
	in.Deadline = is("1401ms")
	says(t, LP303, running(t, in, fixed("30s"), Setup{Command: command}), "")
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Command: command, Layers: []Layer{{Name: "gateway", Timeout: is("1s")}, {Name: "api"}}}), "error")
	api := func(timeout string) []Layer {
		return []Layer{{Name: "gateway", Timeout: is("3s")}, {Name: "api", Timeout: is(timeout)}}
	}
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Command: command, Layers: api("1401ms")}), "")
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Command: command, Layers: api("1.4s")}), "error")
	says(t, LP303, running(t, bare(), fixed("30s"), Setup{Layers: []Layer{{Name: "gateway", Timeout: is("3s"), Worst: is("3s")}}}), "error")

	// A plan whose wait ends before a round trip does: nobody hears of his lock.
	in = calc.Inputs{Hold: is("1s"), Pause: is("1s"), RTT: is("1s"), Sched: is("0s"), Work: is("1ms"), Reply: is("1ms"), Confirm: is("1s")}
	in.Deadline = is("2001ms")
	says(t, LP303, planned(t, in), "error") // 999 ms
	in.Deadline = is("2002ms")
	says(t, LP303, planned(t, in), "")
}

// A client whose timers are late: held against a layer with them, and both
// figures told.
func TestLP303LateTimers(t *testing.T) {
	in := bare()
	in.Deadline = is("1.5s")
	late := Setup{Command: is("2.1s"), Configured: is("1.4s")}
	contains(t, first(t, LP303, running(t, in, fixed("30s"), late)).Message, "2.1s", "1.4s by its settings")
	in.Deadline = is("2101ms")
	says(t, LP303, running(t, in, fixed("30s"), late), "")
}
