package rule

import "testing"

func TestLP306(t *testing.T) {
	in := bare()
	in.HoldMean = is("10ms")
	says(t, LP306, running(t, in, fixed("1s"), Setup{}), "not checked")
	for rate, want := range map[float64]string{80: "", 81: "warning", 99: "warning", 100: "error", 1e300: "error"} {
		in.AcquireRate = rate
		says(t, LP306, running(t, in, fixed("1s"), Setup{}), want)
	}
	in.AcquireRate = 120
	contains(t, first(t, LP306, running(t, in, fixed("1s"), Setup{})).Fix, "at least 2 keys")

	c := running(t, bare(), fixed("1s"), Setup{})
	c.AcquireP99 = is("500ms")
	says(t, LP306, c, "")
	c.AcquireP99 = is("501ms")
	says(t, LP306, c, "warning")
}

// Claims: the least mean decides the error, the interpolated one the warning.
func TestLP306OfClaims(t *testing.T) {
	in := bare()
	in.HoldMean, in.HoldMeanGuess = is("10ms"), is("20ms")
	for rate, want := range map[float64]string{40: "", 41: "warning", 50: "warning", 99: "warning", 100: "error"} {
		in.AcquireRate = rate
		says(t, LP306, running(t, in, fixed("1s"), Setup{}), want)
	}
	in.AcquireRate = 100
	contains(t, first(t, LP306, running(t, in, fixed("1s"), Setup{})).Message, "at least 10ms")
}
