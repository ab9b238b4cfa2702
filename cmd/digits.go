package cmd

import (
	"math"
	"strconv"
	"strings"
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
