package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP121(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms")}
	in.MaxHold = is("800ms") // S of T_min
	says(t, LP121, planned(t, in), "")
	in.MaxHold = is("1d")
	says(t, LP121, planned(t, in), "error")
	contains(t, first(t, LP121, planned(t, in)).Message, "1d", "3s", "800ms")
	in.Mode = calc.Renewed
	says(t, LP121, planned(t, in), "")

	says(t, LP121, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "")
	in.MaxHold = is("27801ms") // S = 30 - 2.2
	says(t, LP121, running(t, in, fixed("30s"), Setup{}), "error")
	contains(t, first(t, LP121, running(t, in, fixed("30s"), Setup{})).Fix, "TTL of at least 30.001s")
	in.MaxHold = is("")
	says(t, LP121, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("27.8s")}), "")
	says(t, LP121, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("27801ms")}), "error")

	// B7: T - M = 1.6 s for a hold that contains its pauses, whatever is asked
	// for; a side effect may still be followed by one: S = 0.1 s.
	in = calc.Inputs{Hold: is("800ms"), HoldP50: is("100ms"), Pause: is("1.5s"), Margin: is("700ms"), PauseIncluded: true, MaxHold: is("1s")}
	says(t, LP121, running(t, in, fixed("2.3s"), Setup{StopWork: is("100ms")}), "")
	says(t, LP121, running(t, in, fixed("2.3s"), Setup{StopWork: is("101ms")}), "error")
	in.MaxHold = is("1601ms")
	says(t, LP121, running(t, in, fixed("2.3s"), Setup{}), "error")
}

// C4: 25 s to its holder, less a pause of 1 s and the margin.
func TestLP121Skew(t *testing.T) {
	in := calc.Inputs{Pause: is("1s"), Margin: is("700ms")}
	says(t, LP121, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("23.3s"), ClockSkew: is("5s")}), "")
	c := running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("28s"), ClockSkew: is("5s")})
	says(t, LP121, c, "error")
	contains(t, first(t, LP121, c).Message, "30s (25s to its holder) allows work until 23.3s")
	in.MaxHold = is("24s")
	contains(t, first(t, LP121, running(t, in, fixed("30s"), Setup{ClockSkew: is("5s")})).Fix, "TTL of at least 30.7s")
	says(t, LP121, running(t, in, fixed("30.7s"), Setup{ClockSkew: is("5s")}), "")
	// A pause and a margin longer than the lease count whole.
	in.Pause, in.MaxHold = is("2s"), is("5s")
	contains(t, first(t, LP121, running(t, in, fixed("1s"), Setup{})).Fix, "TTL of at least 7.7s")
}
