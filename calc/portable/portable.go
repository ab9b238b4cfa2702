// Package portable computes exponentials and logarithms whose results are
// the same bits on every machine. The standard library's are assembly on
// some architectures, and a compiler may fuse a multiplication with an
// addition; here every product is rounded on its own, so that a seed or an
// input gives the same bytes everywhere.
package portable

import "math"

// ln2 in two parts: the first has enough trailing zeros that k*ln2High is
// exact for every exponent k of a float64.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// taylor holds 1/n! for n = 0 … 14.
var taylor = func() (c [15]float64) {
	c[0] = 1
	for n := 1; n < len(c); n++ {
		c[n] = c[n-1] / float64(n)
	}
	return c
}()

// odd holds 1/3, 1/5 … 1/23.
var odd = func() (c [11]float64) {
	for i := range c {
		c[i] = 1 / float64(2*i+3)
	}
	return c
}()

// Exp is e to the x, within 2 units in the last place; 0 and +Inf beyond
// the range of a float64.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.78:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.Floor(float64(x/(ln2High+ln2Low)) + 0.5)
	r := float64(x - float64(k*ln2High))
	r = float64(r - float64(k*ln2Low))
	sum := taylor[len(taylor)-1]
	for n := len(taylor) - 2; n >= 0; n-- {
		sum = float64(sum*r) + taylor[n]
	}
	return math.Ldexp(sum, int(k))
}

// Log is the natural logarithm of x, within 2 units in the last place; -Inf
// for 0 and NaN below.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	// ln m = 2 atanh s, and |s| <= 0.172 makes 12 terms enough.
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	sum := 0.0
	for i := len(odd) - 1; i >= 0; i-- {
		sum = float64(float64(sum+odd[i]) * s2)
	}
	k := float64(e)
	return float64(k*ln2High) + (float64(2*s) + (float64(2*float64(s*sum)) + float64(k*ln2Low)))
}

// Expm1 is e to the x minus 1, without loss of digits near 0.
func Expm1(x float64) float64 {
	if math.Abs(x) > 0.3 {
		return Exp(x) - 1
	}
	sum := taylor[len(taylor)-1]
	for n := len(taylor) - 2; n >= 1; n-- {
		sum = float64(sum*x) + taylor[n]
	}
	return float64(sum * x)
}
