package rule

import "testing"

func TestLP402(t *testing.T) {
	in := bare()
	in.Hold = is("4m")
	says(t, LP402, running(t, in, fixed("14m"), Setup{AtMost: is("14m"), AtLeast: is("14m"), Period: is("15m")}), "")
	says(t, LP402, running(t, in, fixed("14m"), Setup{AtMost: is("14m"), AtLeast: is("841s"), Period: is("15m")}), "error")
	says(t, LP402, running(t, in, fixed("15m"), Setup{AtMost: is("15m"), AtLeast: is("15m"), Period: is("15m")}), "error")
	says(t, LP402, running(t, in, fixed("4m"), Setup{AtMost: is("4m")}), "error")
	p99 := bare() // only a lower percentile is known
	p99.HoldAtLeast = is("2m")
	says(t, LP402, running(t, p99, fixed("1m"), Setup{AtMost: is("1m")}), "error")
	says(t, LP402, running(t, p99, fixed("3m"), Setup{AtMost: is("3m")}), "")
	in.Hold = is("10m") // three nodes, one minute, jobs of ten
	says(t, LP402, running(t, in, fixed("1m"), Setup{AtMost: is("1m"), AtLeast: is("45s"), Period: is("1m")}), "error")
	says(t, LP402, running(t, in, fixed("1m"), Setup{}), "not checked")

	// S01 and S08 name keep-alive as a cure: it extends every half of atMost.
	keptAlive := Setup{AtMost: is("1m"), AtLeast: is("45s"), Period: is("20m")}
	says(t, LP402, running(t, in, renewed("1m", "30s", "1s"), keptAlive), "")
	says(t, LP402, running(t, in, renewed("1m", "1m", "1s"), keptAlive), "error") // too late
	keptAlive.Renew = is("30s")                                                   // --at-most and --renew without --ttl
	says(t, LP402, running(t, in, fixed("0s"), keptAlive), "")
	keptAlive.Renew = is("1m")
	says(t, LP402, running(t, in, fixed("0s"), keptAlive), "error")
}
