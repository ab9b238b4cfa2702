package dist

import (
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// Percentile is a claim: the fraction Q of all values is at or below Value.
type Percentile struct {
	Q     float64
	Value time.Duration
}

// ClaimTail is how the estimate of ClaimBand goes on beyond the last claim.
const ClaimTail = "exponential, with the slope between the last two percentiles"

// stepsPerPiece is into how many values the estimate cuts the stretch between
// two claims; each is rounded up.
const stepsPerPiece = 64

// ClaimBand is what percentiles alone say, the claims in
// any order; a value below that of a lower percentile counts as equal. The band is rigorous: between two claims its laws put everything
// at the one end or at the other, and beyond the last claim the upper law has
// no end. Mid is an estimate: the logarithm of P(X > t) runs straight from
// claim to claim, and on beyond the last as ClaimTail says. Q = 1 is a
// maximum.
func ClaimBand(claims []Percentile) Band {
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b Percentile) int {
		switch {
		case a.Q < b.Q:
			return -1
		case a.Q > b.Q:
			return 1
		}
		return 0
	})
	var lo, hi, mid []atom
	over, at := 1.0, time.Duration(0) // P(X > at) so far
	slope := 0.0                      // of ln P(X > t), per second, in the last piece with one
	for _, c := range claims {
		above := max(0, min(over, 1-c.Q))
		c.Value = max(c.Value, at)
		lo = append(lo, atom{at, over - above})
		hi = append(hi, atom{c.Value, over - above})
		mid = append(mid, piece(at, c.Value, over, above, slope)...)
		if width := (c.Value - at).Seconds(); width > 0 && above > 0 {
			slope = portable.Log(over/above) / width
		}
		over, at = above, c.Value
	}
	lo = append(lo, atom{at, over})
	hi = append(hi, atom{Inf, over})
	if over > 0 {
		mid = append(mid, tailOf(at, over, slope)...)
	}
	return Band{Lo: stepsOf(lo), Hi: stepsOf(hi), Mid: stepsOf(mid)}
}

// piece cuts (from, to] into values, P(X > t) falling from over to above.
func piece(from, to time.Duration, over, above, slope float64) []atom {
	width := (to - from).Seconds()
	if width == 0 {
		return []atom{{to, over - above}}
	}
	if above > 0 {
		slope = portable.Log(over/above) / width
	}
	var atoms []atom
	last := over
	for i := 1; i < stepsPerPiece; i++ {
		share := float64(i) / stepsPerPiece
		left := max(above, float64(over*portable.Exp(-float64(float64(slope*width)*share))))
		atoms = append(atoms, atom{from + time.Duration(float64(to-from)*share), last - left})
		last = left
	}
	return append(atoms, atom{to, last - above})
}

// tailOf cuts the exponential tail into values until nothing counts.
func tailOf(from time.Duration, over, slope float64) []atom {
	if slope == 0 {
		return []atom{{from, over}}
	}
	var atoms []atom
	step := 0.05 / slope // seconds: 5 % of a factor e
	last := over
	for i := 1; last > negligible; i++ {
		at := float64(step * float64(i) * float64(time.Second))
		if at > float64(Inf-from)/2 {
			break
		}
		left := float64(over * portable.Exp(-float64(0.05*float64(i))))
		atoms = append(atoms, atom{from + time.Duration(at), last - left})
		last = left
	}
	return append(atoms, atom{Inf, last})
}
