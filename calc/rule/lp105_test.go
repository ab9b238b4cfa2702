package rule

import "testing"

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
