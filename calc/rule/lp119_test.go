package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP119(t *testing.T) {
	in := calc.Inputs{Hold: is("30m"), Pause: is("1.5s"), Margin: is("700ms"), RTO: is("60s")}
	// T_max 59.3 s leaves 57.1 s of work: 1800 / 57.1 is 31.5.
	c := planned(t, in)
	says(t, LP119, c, "info")
	contains(t, first(t, LP119, c).Message, "32 checkpoints")
	contains(t, first(t, LP119, running(t, in, renewed("30s", "10s", "1s"), Setup{})).Message, "32 checkpoints")

	in.Hold = is("57.1s")
	says(t, LP119, planned(t, in), "")
	in.Hold = is("57101ms")
	says(t, LP119, planned(t, in), "info")
	in.RTO = is("2s") // less than pause and margin: no number of pieces helps
	says(t, LP119, planned(t, in), "")
}
