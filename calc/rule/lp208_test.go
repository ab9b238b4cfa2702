package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP208(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms")}
	says(t, LP208, planned(t, in), "warning warning") // pause and margin
	in.Pause = is("1.5s")
	says(t, LP208, planned(t, in), "warning")
	contains(t, first(t, LP208, planned(t, in)).Message, "700ms")
	in.Margin = is("700ms")
	says(t, LP208, planned(t, in), "")
	in.Deadline = is("1s")
	says(t, LP208, planned(t, in), "warning") // the reply's reserve
}
