package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP110(t *testing.T) {
	in := bare()
	in.Pause = is("7s")
	says(t, LP110, running(t, in, renewed("10s", "3s", "1s"), Setup{}), "error") // 10 - 3 is 7: equality
	in.Pause = is("6999ms")
	says(t, LP110, running(t, in, renewed("10s", "3s", "1s"), Setup{}), "")
	says(t, LP110, running(t, in, fixed("10s"), Setup{}), "not checked") // needs the hold

	in.Pause = is("10s")
	says(t, LP110, running(t, in, fixed("10s"), Setup{}), "not checked") // just what is left without any hold
	in.Pause = is("13.2s")
	contains(t, first(t, LP110, running(t, in, fixed("10s"), Setup{})).Message, "survives 10s at most, whatever the hold")

	// C4: to its holder a lease of 30 s is worth 25 s, less I = 10 s.
	in.Pause = is("15s")
	says(t, LP110, running(t, in, renewed("30s", "10s", "1s"), Setup{ClockSkew: is("5s")}), "error")
	in.Pause = is("14999ms")
	says(t, LP110, running(t, in, renewed("30s", "10s", "1s"), Setup{ClockSkew: is("5s")}), "")

	in = calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms")}
	says(t, LP110, running(t, in, fixed("3s"), Setup{}), "") // F1's own T_min
	says(t, LP110, running(t, in, fixed("2999ms"), Setup{}), "error")
	says(t, LP110, planned(t, in), "")

	in.Pause = calc.Bound{}
	says(t, LP110, running(t, in, fixed("3s"), Setup{}), "not checked") // an assumed 0 proves nothing

	// B7: T = max(0.8, 0.1 + 1.5) + 0.7
	in = calc.Inputs{Hold: is("800ms"), HoldP50: is("100ms"), Pause: is("1.5s"), Margin: is("700ms"), PauseIncluded: true}
	says(t, LP110, running(t, in, fixed("2.3s"), Setup{}), "")
	says(t, LP110, running(t, in, fixed("2299ms"), Setup{}), "error")

	// A session of 10 s against a pause of 13.2 s, a third of it between pings.
	in = calc.Inputs{Pause: is("13.2s"), Margin: is("0s")}
	contains(t, first(t, LP110, running(t, in, renewed("10s", "3333ms", "1s"), Setup{})).Message, "13.2s", "6.667s")
}

// C3 of a tied interval: T - T/3 > P + M.
func TestLP110OfATiedInterval(t *testing.T) {
	in := calc.Inputs{Pause: is("20s"), Margin: is("700ms"), Library: ties{ratio: 3}}
	contains(t, first(t, LP110, running(t, in, renewed("30s", "10s", ""), Setup{})).Fix, "a TTL of at least 31.051s") // 20.7 s x 3/2 is 31.05 s
	in.Library = calc.Generic{}
	contains(t, first(t, LP110, running(t, in, renewed("30s", "10s", ""), Setup{})).Fix, "longer by more than 700ms")
}

func TestLP110HintAtEquality(t *testing.T) {
	in := bare()
	in.Pause, in.Margin = is("6.3s"), is("700ms")
	contains(t, first(t, LP110, running(t, in, renewed("10s", "3s", ""), Setup{})).Fix, "a TTL longer than 10s")
}
