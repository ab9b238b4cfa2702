package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP210(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s")}
	says(t, LP210, planned(t, in), "") // a claim was not measured in wall time
	in.Hold.Kind = calc.Observed
	says(t, LP210, planned(t, in), "info")
	in.PauseIncluded, in.HoldP50 = true, is("100ms")
	says(t, LP210, planned(t, in), "")
	in.PauseIncluded, in.Pause = false, is("0s")
	says(t, LP210, planned(t, in), "")
}
