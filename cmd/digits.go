package cmd

import (
	"math"
	"strconv"
)

// digits rounds a probability up to three significant digits: no more are
// known, and a printed bound stays a bound.
func digits(p float64) float64 {
	if p <= 0 || p >= 1 || math.IsNaN(p) {
		return p
	}
	text := strconv.FormatFloat(p, 'e', 2, 64)
	rounded, _ := strconv.ParseFloat(text, 64)
	// Upper figures carry a part in 1e9 for the rounding of their sums.
	if rounded >= p*(1-2e-9) {
		return rounded
	}
	mantissa, exponent := text[:4], text[4:]
	hundredths, _ := strconv.Atoi(mantissa[:1] + mantissa[2:4])
	next, _ := strconv.ParseFloat(strconv.Itoa(hundredths+1)+exponent, 64)
	up, _ := strconv.ParseFloat(strconv.FormatFloat(next/100, 'e', 2, 64), 64)
	return up
}
