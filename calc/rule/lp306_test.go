package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

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

// W counts while callers wait: with holds of 10 ms and 40 ms until the next one
// knows, a key serves 20 a second (1 / 50 ms), of which 0.8 is 16.
func TestLP306OfHandovers(t *testing.T) {
	in := bare()
	in.HoldMean, in.Detect = is("10ms"), is("40ms")
	for rate, want := range map[float64]string{16: "", 17: "warning", 20: "warning", 79: "warning", 100: "error"} {
		in.AcquireRate = rate
		says(t, LP306, running(t, in, fixed("1s"), Setup{}), want)
	}
	in.AcquireRate = 17
	contains(t, first(t, LP306, running(t, in, fixed("1s"), Setup{})).Message, "up to 40ms more (--detect)", "for 85.0 % of the time")
	in.AcquireRate = 30
	contains(t, first(t, LP306, running(t, in, fixed("1s"), Setup{})).Message, "for 1.5 s in every second")
	// Without it the margin stands in, which bounds the delay and says nothing of it.
	in.Detect, in.Margin = calc.Bound{}, is("700ms")
	says(t, LP306, running(t, in, fixed("1s"), Setup{}), "")
}

// Who gave up waited for at least that long: with one in a hundred of them P99
// is not known to be below any limit.
func TestLP306OfCallersThatGiveUp(t *testing.T) {
	c := running(t, bare(), fixed("1s"), Setup{})
	c.AcquireP99, c.AcquireGaveUp = is("450ms"), 0.01
	says(t, LP306, c, "")
	c.AcquireGaveUp = 0.0101
	says(t, LP306, c, "warning")
	contains(t, first(t, LP306, c).Message, "1.1 % of acquisitions give up after waiting 450ms")
}
