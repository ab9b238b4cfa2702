package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP104(t *testing.T) {
	in := bare()
	in.Hold = is("1s")
	says(t, LP104, running(t, in, fixed("30s"), Setup{}), "")
	in.HoldTail = calc.TailHeavy
	says(t, LP104, running(t, in, fixed("30s"), Setup{}), "warning")
	says(t, LP104, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "")

	in.Mode = calc.Fixed
	says(t, LP104, planned(t, in), "warning")
	in.Mode = calc.Auto
	says(t, LP104, planned(t, in), "") // auto renews

	in = bare()
	in.Hold = calc.Bound{Known: true, Unbounded: true}
	says(t, LP104, running(t, in, fixed("30s"), Setup{}), "warning")
}
