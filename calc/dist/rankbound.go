package dist

import (
	"math"
	"math/big"
)

// RankBound is B3 of the model: the smallest j with P(Binomial(n, q) < j) >=
// confidence. The j-th smallest of n samples is then, with that confidence, at
// or above the q-quantile of what was sampled. It is false when not even the
// largest sample is (n below SamplesNeeded), and for q or confidence outside
// (0, 1). Where floating point cannot tell j from j+1 the answer is j+1; a
// confidence below 1e-6 gets the bound of 1e-6, which is not smaller.
func RankBound(n uint64, q, confidence float64) (j uint64, ok bool) {
	if n == 0 || !inside(q) || !inside(confidence) {
		return 0, false
	}
	if need := SamplesNeeded(q, confidence); n < need {
		return 0, false
	}
	confidence = max(confidence, 1e-6)
	b := binomial{n: n, q: q, beyond: 1 - confidence}
	j = b.guess()
	for j > 1 && b.reached(j-1, confidence) {
		j--
	}
	for j < n && !b.reached(j, confidence) {
		j++
	}
	return j, true
}

// SamplesNeeded is the smallest n with q^n <= 1-confidence (B3): 299 for P99,
// 2995 for P99.9 and 29956 for P99.99 at 0.95. 0 for q or confidence outside
// (0, 1), which no number of samples can bound.
func SamplesNeeded(q, confidence float64) uint64 {
	if !inside(q) || !inside(confidence) {
		return 0
	}
	ratio := math.Log1p(-confidence) / math.Log(q)
	n := uint64(math.Ceil(ratio))
	// A ratio within rounding of a whole number is settled exactly.
	if whole := math.Round(ratio); math.Abs(ratio-whole) <= 1e-9*whole {
		n = max(1, uint64(whole))
		b := binomial{n: n, q: q, beyond: 1 - confidence}
		if !b.settle(n, confidence) {
			n++
		}
	}
	return n
}

// Coverage is the largest q of which the rank-th smallest of n samples is an
// upper bound at confidence, rounded down: the lower end of Clopper and
// Pearson's interval. 0 where there is none.
func Coverage(rank, n uint64, confidence float64) float64 {
	if rank == 0 || rank > n || !inside(confidence) {
		return 0
	}
	confidence = max(confidence, 1e-6)
	lo, hi := 0.0, 1.0
	for range 50 {
		mid := (lo + hi) / 2
		if b := (binomial{n: n, q: mid, beyond: 1 - confidence}); b.tail(rank) < b.beyond {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func inside(p float64) bool { return p > 0 && p < 1 }

type binomial struct {
	n         uint64
	q, beyond float64 // beyond = 1-confidence
}

// reached says whether P(X >= j) <= 1-confidence.
func (b binomial) reached(j uint64, confidence float64) bool {
	tail := b.tail(j)
	if math.Abs(tail-b.beyond) <= 1e-9*b.beyond {
		return b.settle(j, confidence)
	}
	return tail < b.beyond
}

// exactUpTo is the largest n whose near ties are worth exact arithmetic; one
// above it counts as not reached, which is the safe side.
const exactUpTo = 4096

// settle decides a near tie with fractions, on the decimals of q and
// confidence.
func (b binomial) settle(j uint64, confidence float64) bool {
	if b.n > exactUpTo {
		return false
	}
	q := decimal(b.q)
	good, all := q.Num(), q.Denom()
	bad := new(big.Int).Sub(all, good)
	n := int64(b.n)
	sum := new(big.Int)
	for i := int64(j); i <= n; i++ {
		term := new(big.Int).Binomial(n, i)
		term.Mul(term, new(big.Int).Exp(good, big.NewInt(i), nil))
		term.Mul(term, new(big.Int).Exp(bad, big.NewInt(n-i), nil))
		sum.Add(sum, term)
	}
	tail := new(big.Rat).SetFrac(sum, new(big.Int).Exp(all, big.NewInt(n), nil))
	beyond := new(big.Rat).Sub(big.NewRat(1, 1), decimal(confidence))
	return tail.Cmp(beyond) <= 0
}

// guess walks from the normal approximation to the rank where the tail
// crosses; it is right to within rounding, and RankBound checks it.
func (b binomial) guess() uint64 {
	n, p := float64(b.n), 1-b.q
	z := math.Sqrt2 * math.Erfcinv(2*b.beyond)
	spread := math.Sqrt(n * b.q * p)
	at := math.Floor(n*b.q + z*spread + (z*z-1)*(1-2*b.q)/6)
	j := uint64(min(max(at, 1), n))
	tail, mass := b.tail(j), b.mass(j)
	odds := b.q / p
	for tail > b.beyond && j < b.n && mass > 0 {
		tail -= mass
		mass *= float64(b.n-j) / float64(j+1) * odds
		j++
	}
	for j > 1 {
		mass *= float64(j) / float64(b.n-j+1) / odds
		if !(tail+mass <= b.beyond) || mass == 0 {
			break
		}
		tail += mass
		j--
	}
	return j
}

// tail is P(X >= j), the terms added from j up until they no longer matter,
// or from below when j is under the mean.
func (b binomial) tail(j uint64) float64 {
	odds := b.q / (1 - b.q)
	if float64(j) >= float64(b.n)*b.q {
		term := b.mass(j)
		sum := term
		for i := j; i < b.n && term > sum*1e-18; i++ {
			term *= float64(b.n-i) / float64(i+1) * odds
			sum += term
		}
		return sum
	}
	if j == 0 {
		return 1
	}
	term := b.mass(j - 1)
	sum := term
	for i := j - 1; i > 0 && term > sum*1e-18; i-- {
		term *= float64(i) / float64(b.n-i+1) / odds
		sum += term
	}
	return 1 - sum
}

// mass is P(X = x) by the saddle-point form of C. Loader, "Fast and accurate
// computation of binomial probabilities" (2000): no large logarithms cancel,
// so it keeps its digits for n of 1e12.
func (b binomial) mass(x uint64) float64 {
	n, k, p := float64(b.n), float64(x), 1-b.q
	switch x {
	case 0:
		return math.Exp(n * math.Log1p(-b.q))
	case b.n:
		return math.Exp(n * math.Log(b.q))
	}
	rest := float64(b.n - x)
	exponent := stirlingError(n) - stirlingError(k) - stirlingError(rest) - deviance(k, n*b.q) - deviance(rest, n*p)
	return math.Exp(exponent) * math.Sqrt(n/(2*math.Pi*k*rest))
}

// stirlingError is ln(n!) minus Stirling's formula.
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	s := 1 / (n * n)
	return (1.0/12 - s*(1.0/360-s*(1.0/1260-s*(1.0/1680-s/1188)))) / n
}

// deviance is x ln(x/m) + m - x, by its series where the two nearly cancel.
func deviance(x, m float64) float64 {
	d := x - m
	if math.Abs(d) >= 0.1*(x+m) {
		return x*math.Log(x/m) - d
	}
	v := d / (x + m)
	sum := d * v
	term := 2 * x * v
	for i := 1; ; i++ {
		term *= v * v
		next := sum + term/float64(2*i+1)
		if next == sum {
			return sum
		}
		sum = next
	}
}
