package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP109(t *testing.T) {
	in := calc.Inputs{Pause: is("1.5s"), Margin: is("700ms")}
	lease := renewed("8.7s", "2.9s", "700ms") // R1 of the model, for k = 1
	says(t, LP109, running(t, in, lease, Setup{}), "")
	lease.TTL -= 1
	says(t, LP109, running(t, in, lease, Setup{}), "warning")
	in.Failures, in.FailuresGiven = 1, true
	says(t, LP109, running(t, in, lease, Setup{}), "error")
	contains(t, first(t, LP109, running(t, in, lease, Setup{})).Fix, "at least 8.7s")

	in.Failures = 0
	says(t, LP109, running(t, in, lease, Setup{}), "")
	says(t, LP109, running(t, in, renewed("5.7s", "2.9s", "700ms"), Setup{}), "error") // not even the first
	says(t, LP109, running(t, in, fixed("1s"), Setup{}), "")

	c := running(t, in, lease, Setup{})
	own := -1
	c.Survives.Failures = &own
	says(t, LP109, c, "error")
}
