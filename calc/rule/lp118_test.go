package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP118(t *testing.T) {
	in := calc.Inputs{Hold: is("20s"), Pause: is("1.5s"), Margin: is("700ms")}
	in.RTO = is("12s") // a fixed lease needs 22.2 s, a renewed one 8.7 s
	says(t, LP118, planned(t, in), "warning")
	contains(t, first(t, LP118, planned(t, in)).Fix, "at least 22.9s")
	in.Fencing = calc.FencingYes
	says(t, LP118, planned(t, in), "")
	in.Fencing = calc.FencingUnknown
	in.Mode = calc.Renewed // asked for, not forced
	says(t, LP118, planned(t, in), "")
	in.Mode, in.RTO = calc.Auto, is("60s")
	says(t, LP118, planned(t, in), "")
	in.Hold, in.RTO = is("30m"), is("60s") // renewed whatever the RTO
	says(t, LP118, planned(t, in), "")

	in.Hold = is("800ms")
	says(t, LP118, running(t, in, fixed("3s"), Setup{}), "")
	says(t, LP118, running(t, in, fixed("2999ms"), Setup{}), "warning")
	says(t, LP118, running(t, in, renewed("8.7s", "2.9s", "700ms"), Setup{}), "")
	says(t, LP118, running(t, in, renewed("8699ms", "2.8s", "700ms"), Setup{}), "") // tolerates what is asked
	says(t, LP118, running(t, in, renewed("8.6s", "2.9s", "700ms"), Setup{}), "warning")
	in.RTO = is("")
	says(t, LP118, running(t, in, fixed("2s"), Setup{}), "not checked")
}

func TestLP118Skew(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms"), RTO: is("60s")}
	says(t, LP118, running(t, in, fixed("4s"), Setup{ClockSkew: is("1s")}), "")
	c := running(t, in, fixed("4s"), Setup{ClockSkew: is("1001ms")})
	says(t, LP118, c, "warning")
	contains(t, first(t, LP118, c).Fix, "at least 4.001s")
}
