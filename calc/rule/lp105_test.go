package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP105(t *testing.T) {
	in := bare()
	in.Hold = is("60s")
	says(t, LP105, running(t, in, fixed("10s"), Setup{}), "error")
	says(t, LP105, running(t, in, fixed("60s"), Setup{}), "error")
	says(t, LP105, running(t, in, fixed("60000000001ns"), Setup{}), "")
	says(t, LP105, running(t, in, renewed("10s", "3s", "1s"), Setup{}), "")

	c := running(t, in, fixed("10s"), Setup{})
	c.NoRenewer = "disabled by leaseTime"
	contains(t, first(t, LP105, c).Message, "disabled by leaseTime", "10s", "1m")
}

func TestLP105Skew(t *testing.T) {
	in := bare()
	in.Hold = is("20s")
	says(t, LP105, running(t, in, fixed("30s"), Setup{ClockSkew: is("9999ms")}), "")
	says(t, LP105, running(t, in, fixed("30s"), Setup{ClockSkew: is("10s")}), "error")
	contains(t, first(t, LP105, running(t, in, fixed("30s"), Setup{ClockSkew: is("15s")})).Fix, "every 5s") // a third of what is left
	contains(t, first(t, LP105, running(t, in, fixed("30s"), Setup{ClockSkew: is("31s")})).Fix, "longer than the skew of 31s")
}

// research/libs-redis.md RS2 and SI1: whoever relies on a renewal that
// is switched off is told so, whatever the hold.
func TestLP105Asked(t *testing.T) {
	in := bare()
	in.Mode = calc.Renewed
	says(t, LP105, running(t, in, fixed("10s"), Setup{}), "error")
	says(t, LP105, running(t, in, renewed("10s", "3s", "1s"), Setup{}), "not checked") // by the hold, which nobody says
	says(t, LP105, &Case{In: in, NoRenewer: "acquire() does not extend"}, "error")
	says(t, LP105, &Case{In: in}, "not checked")
	in.Hold = is("5s")
	says(t, LP105, running(t, in, fixed("10s"), Setup{}), "error")
	in.Mode = calc.Auto
	says(t, LP105, running(t, in, fixed("10s"), Setup{}), "")
	in.Mode = calc.Fixed
	says(t, LP105, running(t, in, fixed("10s"), Setup{}), "")
}
