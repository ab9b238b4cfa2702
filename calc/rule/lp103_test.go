package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP103(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms"), Mode: calc.Fixed}
	in.RTO = is("3.7s") // T_max 3 s is T_min
	says(t, LP103, planned(t, in), "")
	in.RTO = is("3.699s")
	says(t, LP103, planned(t, in), "error")
	contains(t, first(t, LP103, planned(t, in)).Message, "3s", "2.999s")

	in = calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Mode: calc.Renewed, Failures: 2, FailuresGiven: true}
	says(t, LP103, planned(t, in), "error") // k + 1 = n
}
