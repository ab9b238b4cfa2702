package source

import (
	"math"
	"math/bits"
	"time"
)

// pow10 holds the powers of ten that fit a uint64.
var pow10 = func() (p [20]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// scaled reads a decimal such as 0.25, 1e-05 or +12 and multiplies it by a
// unit, exactly: down and up are the whole nanoseconds around it, equal when
// it is one. It is false for anything that is not a finite, non-negative
// decimal; what is too long for a duration is (max, max).
func scaled(text []byte, unit time.Duration) (down, up time.Duration, ok bool) {
	if len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	var mantissa uint64
	exp := 0
	digits, dot, inexact := 0, false, false
	i := 0
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && !dot {
			dot = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		switch {
		case mantissa < 1e18:
			mantissa = mantissa*10 + uint64(c-'0')
			if dot {
				exp--
			}
		default:
			inexact = inexact || c != '0'
			if !dot {
				exp++
			}
		}
	}
	if digits == 0 {
		return 0, 0, false
	}
	if i < len(text) {
		e, ok := exponent(text[i:])
		if !ok {
			return 0, 0, false
		}
		exp += e
	}
	return timesUnit(mantissa, exp, inexact, unit)
}

// exponent reads e+05 and the like, short of absurd ones.
func exponent(text []byte) (int, bool) {
	if len(text) < 2 || text[0]|0x20 != 'e' {
		return 0, false
	}
	text = text[1:]
	negative := text[0] == '-'
	if text[0] == '-' || text[0] == '+' {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 6 {
		return 0, false
	}
	e := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		e = e*10 + int(c-'0')
	}
	if negative {
		e = -e
	}
	return e, true
}

func timesUnit(mantissa uint64, exp int, inexact bool, unit time.Duration) (down, up time.Duration, ok bool) {
	const longest = time.Duration(math.MaxInt64)
	if mantissa == 0 {
		if inexact {
			return 0, 1, true
		}
		return 0, 0, true
	}
	hi, lo := bits.Mul64(mantissa, uint64(unit))
	for ; exp > 0; exp-- {
		h, l := bits.Mul64(lo, 10)
		over, h2 := bits.Mul64(hi, 10)
		sum, carry := bits.Add64(h2, h, 0)
		if over != 0 || carry != 0 {
			return longest, longest, true
		}
		hi, lo = sum, l
	}
	for exp < 0 {
		step := min(-exp, 19)
		p := pow10[step]
		q := hi / p
		var rem uint64
		lo, rem = bits.Div64(hi%p, lo, p)
		hi = q
		inexact = inexact || rem != 0
		if hi == 0 && lo == 0 {
			break
		}
		exp += step
	}
	if hi != 0 || lo >= math.MaxInt64 {
		return longest, longest, true
	}
	down = time.Duration(lo)
	up = down
	if inexact {
		up++
	}
	return down, up, true
}
