package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP101(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms")}
	says(t, LP101, running(t, in, fixed("2999999999ns"), Setup{}), "error")
	says(t, LP101, running(t, in, fixed("3s"), Setup{}), "") // F1: T_min itself is enough
	says(t, LP101, running(t, in, renewed("2s", "500ms", ""), Setup{}), "")
	contains(t, first(t, LP101, running(t, in, fixed("2s"), Setup{})).Message, "800ms", "1.5s", "700ms", "3s")

	equal := bare()
	equal.Hold = is("10s")
	says(t, LP101, running(t, equal, fixed("10s"), Setup{}), "error") // T = h always ends first
	says(t, LP101, running(t, equal, fixed("10000000001ns"), Setup{}), "")
	says(t, LP101, running(t, bare(), fixed("10s"), Setup{}), "not checked")
}

// C4: of 30 s the holder has 25 s where another machine's clock judges.
func TestLP101Skew(t *testing.T) {
	in := bare()
	in.Hold, in.Pause = is("19s"), is("1s")
	says(t, LP101, running(t, in, fixed("30s"), Setup{ClockSkew: is("10s")}), "")
	c := running(t, in, fixed("30s"), Setup{ClockSkew: is("10001ms")})
	says(t, LP101, c, "error")
	contains(t, first(t, LP101, c).Message, "30s (19.999s to its holder)")
	contains(t, first(t, LP101, c).Fix, "at least 30.001s")
}
