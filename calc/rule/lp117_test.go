package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP117(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms")}
	says(t, LP117, running(t, in, fixed("5s"), Setup{}), "not checked")
	says(t, LP117, running(t, in, fixed("5s"), Setup{ClockSkew: is("0s")}), "")
	says(t, LP117, running(t, in, fixed("5s"), Setup{ClockSkew: is("2s")}), "warning") // worth 3 s, T_min
	says(t, LP117, running(t, in, fixed("5s"), Setup{ClockSkew: is("2001ms")}), "error")
	says(t, LP117, running(t, in, fixed("5s"), Setup{ClockSkew: is("5s")}), "error")
	contains(t, first(t, LP117, running(t, in, fixed("5s"), Setup{ClockSkew: is("2s")})).Message, "worth 3s", "blocks for 7s")

	says(t, LP117, running(t, bare(), fixed("5s"), Setup{ClockSkew: is("4999ms")}), "warning") // no hold to hold it against
	says(t, LP117, running(t, bare(), fixed("5s"), Setup{ClockSkew: is("5s")}), "error")

	lease := renewed("10s", "3s", "700ms") // the first renewal needs 3 + 0.7 + 1.5 + 0.7
	says(t, LP117, running(t, in, lease, Setup{ClockSkew: is("4.1s")}), "warning")
	says(t, LP117, running(t, in, lease, Setup{ClockSkew: is("4101ms")}), "error")
}

// Rows R16 and S07 of research/cases.md: atLeast has to be above the skew,
// equality counts.
func TestLP117AtLeast(t *testing.T) {
	at := func(least string) Setup { return Setup{ClockSkew: is("5s"), AtLeast: is(least)} }
	says(t, LP117, running(t, bare(), fixed("5m"), at("5001ms")), "warning")
	says(t, LP117, running(t, bare(), fixed("5m"), at("5s")), "error warning")
	contains(t, LP117.Check(LP117, running(t, bare(), fixed("5m"), at("1s")))[0].Message, "starts the same run again")
}
