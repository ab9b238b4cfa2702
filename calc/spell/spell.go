// Package spell writes numbers as people read them.
package spell

import (
	"strconv"
	"strings"
)

// Grouped prints 100000 as "100 000".
func Grouped(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// Percent is a fraction in percent, without the sign and with the digits that
// it was given with: 0.999 is "99.9".
func Percent(fraction float64) string {
	// The shortest decimal of the fraction, moved by two places.
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(fraction, 'e', -1, 64), "e")
	e, err := strconv.Atoi(exponent)
	if err != nil { // not a number, or infinite
		return mantissa
	}
	shifted, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(e+2), 64)
	return strconv.FormatFloat(shifted, 'f', -1, 64)
}

// Percentile names a quantile as people do: 0.999 is "P99.9".
func Percentile(q float64) string { return "P" + Percent(q) }

// claims are the inputs that claim a quantile of the hold.
var claims = map[float64]string{0.5: "p50", 0.95: "p95", 0.99: "p99", 0.999: "p999", 0.9999: "p9999"}

// Claim is the input that claims a quantile of the hold; ok is false where none
// does.
func Claim(q float64) (key string, ok bool) {
	key, ok = claims[q]
	return key, ok
}
