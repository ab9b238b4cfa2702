package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP114(t *testing.T) {
	in := bare()
	says(t, LP114, running(t, in, fixed("30s"), Setup{}), "warning")
	in.Fencing = calc.FencingYes
	says(t, LP114, running(t, in, fixed("30s"), Setup{}), "")

	c := running(t, bare(), fixed("30s"), Setup{})
	c.DoubleWrites = 0.25
	contains(t, first(t, LP114, c).Message, "0.25 possible double writes a day")
}
