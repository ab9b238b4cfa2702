package rule

import "testing"

func TestLP102(t *testing.T) {
	in := bare()
	in.Detect, in.RTO = is("700ms"), is("5s")
	says(t, LP102, running(t, in, fixed("4.3s"), Setup{}), "") // 4.3 + 0.7 meets an RTO of 5 s
	says(t, LP102, running(t, in, fixed("4301ms"), Setup{}), "error")
	says(t, LP102, running(t, in, fixed("4.3s"), Setup{ClockSkew: is("1ms")}), "error")
	contains(t, first(t, LP102, running(t, in, fixed("60s"), Setup{})).Fix, "at most 4.3s")

	in.RTO = is("600ms") // below the detection alone
	contains(t, first(t, LP102, running(t, in, fixed("60s"), Setup{})).Fix, "RTO of at least 701ms")
}
