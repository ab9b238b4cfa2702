package cmd

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
)

// digits rounds a probability up to three significant digits: no more are
// known, and a printed bound stays a bound.
func digits(p float64) float64 { return roundUp(p, 3) }

// roundUp rounds up to n significant digits, by its decimal text, so that the
// answer is the same everywhere.
func roundUp(p float64, n int) float64 {
	if p <= 0 || p >= 1 || math.IsNaN(p) {
		return p
	}
	text := strconv.FormatFloat(p, 'e', n-1, 64)
	rounded, _ := strconv.ParseFloat(text, 64)
	// Upper figures carry a part in 1e9 for the rounding of their sums.
	if rounded >= p*(1-2e-9) {
		return rounded
	}
	mantissa, exponent, _ := strings.Cut(text, "e")
	whole, _ := strconv.Atoi(strings.Replace(mantissa, ".", "", 1))
	power, _ := strconv.Atoi(exponent)
	up, _ := strconv.ParseFloat(strconv.Itoa(whole+1)+"e"+strconv.Itoa(power-n+1), 64)
	return up
}

// rounded keeps six significant digits, so that the last bits of a sum never
// show.
func rounded(v float64) float64 { return significant(v, 6) }

// rounded3 keeps three, of what was counted.
func rounded3(v float64) float64 { return significant(v, 3) }

// significant rounds to n significant digits.
func significant(v float64, n int) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	return out
}

func roundedPtr(v *float64) *float64 {
	if v == nil {
		return nil
	}
	out := rounded(*v)
	return &out
}

// short is a duration with three digits, rounded up, for values of a search
// or a simulation.
func short(d time.Duration) string { return dur.Format(threeDigits(d)) }

// threeDigits rounds up.
func threeDigits(d time.Duration) time.Duration {
	unit := thirdDigit(d)
	return (d + unit - 1) / unit * unit
}

// round3 keeps three significant digits of a value that is shown beside the
// bound and never planned with.
func round3(d time.Duration) time.Duration { return d.Round(thirdDigit(d)) }

// thirdDigit is what the third significant digit of a duration counts.
func thirdDigit(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return unit
}
