package dist

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mathext"

	"github.com/lockplan/lockplan/calc/portable"
)

// Verdicts of a tail fit. "" is unclear: the interval of the shape holds 0.25.
const (
	Heavy   = "heavy"   // the shape is clearly above 0.25: the mean excess grows with the threshold
	Light   = "light"   // clearly not above 0.25
	Bounded = "bounded" // clearly below 0: there is a longest value
)

// heavyShape is where B5 calls a tail heavy.
const heavyShape = 0.25

// Tail is a generalised Pareto law fitted to the samples above a threshold by
// maximum likelihood (B5 of the model). Xi is its shape, with the
// profile-likelihood interval [Low, High].
type Tail struct {
	Threshold     time.Duration
	Above, Count  uint64 // samples above the threshold, and in all
	Xi, Low, High float64
	Verdict       string

	scale, scaleLow, scaleHigh float64 // ns, the best for Xi, Low and High
}

// Limits of the fit.
const (
	leastAbove = 50   // samples above the threshold
	mostAbove  = 500  // wanted ones: more would reach into the body
	leastCells = 8    // that they fall into: a handful of coarse buckets fits any shape
	leastShape = -0.9 // below, the likelihood is no longer regular
	mostShape  = 4.0
)

// Tail fits the upper tail. It is false when there are too few samples, or
// too few buckets above any threshold, to tell a shape.
func (d *Dist) Tail(confidence float64) (Tail, bool) {
	if !inside(confidence) {
		return Tail{}, false
	}
	e, ok := d.excesses()
	if !ok {
		return Tail{}, false
	}
	t := Tail{Threshold: e.threshold, Above: e.n, Count: d.Count()}
	var best float64
	t.Xi, best = maximise(leastShape, mostShape, 1e-4, func(xi float64) float64 { _, l := e.scale(xi); return l })
	if math.IsInf(best, 0) || math.IsNaN(best) {
		return Tail{}, false
	}
	// The last digits of the library's quantile are not the same on every
	// machine.
	drop := math.Round(mathext.GammaIncRegInv(0.5, confidence)*1e9) / 1e9
	inside := func(xi float64) bool { _, l := e.scale(xi); return l >= best-drop }
	t.Low = boundary(t.Xi, leastShape, inside)
	t.High = boundary(t.Xi, mostShape, inside)
	t.scale, _ = e.scale(t.Xi)
	t.scaleLow, _ = e.scale(t.Low)
	t.scaleHigh, _ = e.scale(t.High)
	switch {
	case t.Low > heavyShape:
		t.Verdict = Heavy
	case t.High < 0:
		t.Verdict = Bounded
	case t.High <= heavyShape:
		t.Verdict = Light
	}
	return t, true
}

// Quantile extrapolates the q-quantile by the fit: the estimate, and the
// larger of what the ends of the shape's interval say. Both are rounded up;
// upper is Inf where it is longer than a duration. It is false for a q that
// lies below the threshold, or outside (0, 1).
func (t Tail) Quantile(q float64) (estimate, upper time.Duration, ok bool) {
	beyond := float64((1-q)*float64(t.Count)) / float64(t.Above)
	if !inside(q) || !(beyond <= 1) {
		return 0, 0, false
	}
	at := func(xi, scale float64) time.Duration {
		excess := float64(-scale * portable.Log(beyond))
		if math.Abs(xi) > 1e-9 {
			excess = float64(scale*portable.Expm1(float64(-xi*portable.Log(beyond)))) / xi
		}
		ns := math.Ceil(float64(t.Threshold) + excess)
		if !(ns < math.MaxInt64) {
			return Inf
		}
		return time.Duration(ns)
	}
	estimate = at(t.Xi, t.scale)
	return estimate, max(estimate, at(t.Low, t.scaleLow), at(t.High, t.scaleHigh)), true
}

// excesses are the samples above a threshold, less the threshold.
type excesses struct {
	threshold time.Duration
	cells     []excess
	n         uint64
	mean      float64 // rough, to begin the search
}

// excess is n samples in (lo, hi], exact when lo == hi.
type excess struct{ lo, hi, n float64 }

// excesses chooses the threshold: the highest edge that leaves as many
// samples above it as are wanted, and enough buckets to tell a shape. No
// bucket may reach across it.
func (d *Dist) excesses() (e excesses, ok bool) {
	want := min(max(d.Count()/20, leastAbove), mostAbove)
	cells := 0
	var above uint64
	reach := Inf // the lowest Lo of the buckets above
	for _, b := range slices.Backward(d.buckets) {
		if b.Hi <= reach && above >= want && cells >= leastCells {
			e.threshold = b.Hi
			break
		}
		cells++
		above += b.Count
		reach = min(reach, b.Lo)
		if b.Lo == b.Hi {
			reach = min(reach, b.Lo-1)
		}
	}
	if e.threshold == 0 || above < leastAbove || above > d.Count()/2 {
		return e, false // too little, or the body rather than the tail
	}
	var sum float64
	for _, b := range d.buckets {
		if b.Lo < e.threshold || b.Hi <= e.threshold {
			continue
		}
		c := excess{lo: float64(b.Lo - e.threshold), hi: math.Inf(1), n: float64(b.Count)}
		if b.Hi != Inf {
			c.hi = float64(b.Hi - e.threshold)
		}
		e.cells = append(e.cells, c)
		e.n += b.Count
		sum += float64(c.n * max(c.lo, 1))
	}
	e.mean = sum / float64(e.n)
	return e, e.n >= leastAbove
}

// scale is the best scale for a shape, and its log-likelihood.
func (e excesses) scale(xi float64) (scale, likelihood float64) {
	start := portable.Log(e.mean)
	logScale, likelihood := maximise(start-8, start+8, 1e-4, func(s float64) float64 { return e.likelihood(xi, portable.Exp(s)) })
	return portable.Exp(logScale), likelihood
}

func (e excesses) likelihood(xi, scale float64) float64 {
	// survival is P(excess > y).
	logSurvival := func(y float64) float64 {
		if math.IsInf(y, 1) {
			return math.Inf(-1)
		}
		if math.Abs(xi) < 1e-9 {
			return -y / scale
		}
		z := 1 + float64(xi*y)/scale
		if z <= 0 {
			return math.Inf(-1)
		}
		return -portable.Log(z) / xi
	}
	sum, logScale := 0.0, portable.Log(scale)
	for _, c := range e.cells {
		low := logSurvival(c.lo)
		if c.lo == c.hi {
			// The density is survival^(1+xi) / scale.
			sum += float64(c.n * (float64((1+xi)*low) - logScale))
			continue
		}
		sum += float64(c.n * (low + portable.Log(-portable.Expm1(logSurvival(c.hi)-low))))
	}
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return sum
}

// maximise finds the top of a function with one, by golden sections.
func maximise(lo, hi, within float64, f func(float64) float64) (at, value float64) {
	const ratio = 0.6180339887498949
	a, b := hi-float64(ratio*(hi-lo)), lo+float64(ratio*(hi-lo))
	fa, fb := f(a), f(b)
	for hi-lo > within {
		// Where both are impossible (-Inf) the top lies to the right: small
		// scales and shapes leave samples outside of the law.
		if fa > fb {
			hi, b, fb = b, a, fa
			a = hi - float64(ratio*(hi-lo))
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + float64(ratio*(hi-lo))
			fb = f(b)
		}
	}
	if fa > fb {
		return a, fa
	}
	return b, fb
}

// boundary is the farthest point from in towards out that is still inside;
// out itself when it is.
func boundary(in, out float64, inside func(float64) bool) float64 {
	if inside(out) {
		return out
	}
	for range 18 {
		mid := (in + out) / 2
		if inside(mid) {
			in = mid
		} else {
			out = mid
		}
	}
	return out
}
