package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP211(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s")}
	says(t, LP211, planned(t, in), "")
	in.Hold.Kind, in.Hold.Samples = calc.Extrapolated, 1200
	says(t, LP211, planned(t, in), "warning")
	contains(t, first(t, LP211, planned(t, in)).Message, "1 200 samples", "800ms")
}
