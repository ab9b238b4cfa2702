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
}
