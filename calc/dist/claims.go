package dist

import (
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// Percentile is a claim: the fraction Q of all values is at or below Value. Of
// a percentile of few samples that is only known of the fraction Sure, at some
// confidence; 0 is Q.
type Percentile struct {
	Q     float64
	Value time.Duration
	Sure  float64
}

// OfSamples is a percentile of n samples at a one-sided confidence: its Sure is
// the largest fraction that the sample at its rank bounds (B3).
func (p Percentile) OfSamples(n uint64, confidence float64) Percentile {
	p.Sure = min(p.Q, Coverage(nearestRank(p.Q, n), n, confidence))
	return p
}

// Bounds says that a percentile of n samples is with the confidence at or above
// the q-quantile of what was sampled: as many samples as RankBound asks for are
// at or below it.
func (p Percentile) Bounds(n uint64, q, confidence float64) bool {
	j, ok := RankBound(n, q, confidence)
	return ok && nearestRank(p.Q, n) >= j
}

// stepsPerPiece is into how many values the estimate cuts the stretch between
// two claims; each is rounded up.
const stepsPerPiece = 64

// ClaimBand is what percentiles alone say, the claims in
// any order; a value below that of a lower percentile counts as equal. The band is rigorous: between two claims its laws put everything
// at the one end or at the other, and beyond the last claim the upper law has
// no end. Mid is an estimate: the logarithm of P(X > t) runs straight from
// claim to claim, and on beyond the last exponentially, with the slope between
// the last two. Q = 1 is a maximum.
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
	unsure := 1.0                     // the same of the upper law
	slope := 0.0                      // of ln P(X > t), per second, in the last piece with one
	for _, c := range claims {
		above := max(0, min(over, 1-c.Q))
		c.Value = max(c.Value, at)
		lo = append(lo, atom{at, over - above})
		most := above
		if c.Sure > 0 {
			most = max(above, min(unsure, 1-c.Sure))
		}
		hi = append(hi, atom{c.Value, unsure - most})
		unsure = most
		mid = append(mid, piece(at, c.Value, over, above, slope)...)
		if width := (c.Value - at).Seconds(); width > 0 && above > 0 {
			slope = portable.Log(over/above) / width
		}
		over, at = above, c.Value
	}
	lo = append(lo, atom{at, over})
	hi = append(hi, atom{Inf, unsure})
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
