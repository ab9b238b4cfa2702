package calc

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// Ratio is a number without a unit, in whole billionths: the drift rho, the
// ratio n = T/I, the hold factor.
type Ratio int64

// One is the ratio 1.
const One Ratio = 1_000_000_000

// maxRatio keeps every product of a ratio and a small count inside 64 bits.
const maxRatio = 1_000_000 * One

// ParseRatio reads a plain decimal such as "3", "0.0002" or "2.5".
func ParseRatio(text string) (Ratio, error) {
	whole, frac, dotted := strings.Cut(text, ".")
	digits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	if whole+frac == "" || !digits(whole) || !digits(frac) || (dotted && frac == "") {
		return 0, fault.Usagef("number %q cannot be read", text).Hintf("a plain decimal such as 3 or 0.0002")
	}
	frac = strings.TrimRight(frac, "0")
	if len(frac) > 9 {
		return 0, fault.Usagef("number %q is finer than a billionth", text)
	}
	n, err := strconv.ParseInt(whole+frac+strings.Repeat("0", 9-len(frac)), 10, 64)
	if err != nil || Ratio(n) > maxRatio {
		return 0, fault.Usagef("number %q is above %s", text, maxRatio)
	}
	return Ratio(n), nil
}

// String prints the shortest exact decimal.
func (r Ratio) String() string {
	if r < 0 {
		return "-" + (-r).String()
	}
	whole := strconv.FormatInt(int64(r/One), 10)
	if r%One == 0 {
		return whole
	}
	return whole + "." + strings.TrimRight(strconv.FormatInt(int64(One+r%One), 10)[1:], "0")
}

// Of is d × r, rounded down; it saturates at the longest duration.
func (r Ratio) Of(d time.Duration) time.Duration { return mulDiv(d, int64(r), int64(One), false) }

// Share is d / r, rounded down.
func (r Ratio) Share(d time.Duration) time.Duration { return mulDiv(d, int64(One), int64(r), false) }

// forever is what a sum saturates to: no lock waits 292 years, and every
// comparison with it comes out on the safe side.
const forever = time.Duration(math.MaxInt64)

// mulDiv is d·num/den for non-negative d and num and positive den, rounded
// down, or up when asked; it saturates at forever.
func mulDiv(d time.Duration, num, den int64, up bool) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(num))
	if hi >= uint64(den) {
		return forever
	}
	quo, rem := bits.Div64(hi, lo, uint64(den))
	if up && rem != 0 {
		quo++
	}
	if quo > uint64(forever) {
		return forever
	}
	return time.Duration(quo)
}

// sum adds non-negative durations and saturates at forever.
func sum(ds ...time.Duration) time.Duration {
	var total time.Duration
	for _, d := range ds {
		if d > forever-total {
			return forever
		}
		total += d
	}
	return total
}

// times is n·d for non-negative arguments, saturating at forever.
func times(n int, d time.Duration) time.Duration { return mulDiv(d, int64(n), 1, false) }

// CeilTo rounds d up to a whole number of quanta; it saturates at the longest
// duration.
func CeilTo(d, quantum time.Duration) time.Duration {
	if quantum <= 1 || d%quantum == 0 {
		return d
	}
	return sum(d-d%quantum, quantum)
}

// floorTo rounds d down to a whole number of quanta.
func floorTo(d, quantum time.Duration) time.Duration {
	if quantum <= 1 {
		return d
	}
	return d - d%quantum
}

// twoDigits is the quantum that keeps two significant digits of d.
func twoDigits(d time.Duration) time.Duration {
	quantum := time.Duration(1)
	for d/quantum >= 100 {
		quantum *= 10
	}
	return quantum
}
