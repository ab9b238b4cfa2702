package dist

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The sample counts are those of model.md, B3.
func TestSamplesNeeded(t *testing.T) {
	for q, want := range map[float64]uint64{0.99: 299, 0.999: 2995, 0.9999: 29956, 0.95: 59, 0.5: 5} {
		if got := SamplesNeeded(q, 0.95); got != want {
			t.Errorf("SamplesNeeded(%v, 0.95) = %d, want %d", q, got, want)
		}
		if _, ok := RankBound(want-1, q, 0.95); ok {
			t.Errorf("RankBound(%d, %v) is finite with a sample too few", want-1, q)
		}
		if j, ok := RankBound(want, q, 0.95); !ok || j != want {
			t.Errorf("RankBound(%d, %v) = %d, %v: the largest sample was expected", want, q, j, ok)
		}
	}
	for _, q := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1)} {
		if n := SamplesNeeded(q, 0.95); n != 0 {
			t.Errorf("SamplesNeeded(%v) = %d, want 0", q, n)
		}
		if _, ok := RankBound(1000, q, 0.95); ok {
			t.Errorf("RankBound with q = %v is finite", q)
		}
	}
}

// Wilks' one-sided tolerance limits: the sample sizes from which the largest,
// second largest, ... of n bounds the quantile with the confidence (S. S.
// Wilks 1941; the 95/95 and 95/99 rows used in nuclear safety analyses).
func TestRankBoundWilks(t *testing.T) {
	for q, sizes := range map[float64][]uint64{
		0.95: {59, 93, 124, 153, 181, 208},
		0.99: {299, 473, 628, 773},
	} {
		for below, n := range sizes {
			want := n - uint64(below)
			if j, ok := RankBound(n, q, 0.95); !ok || j != want {
				t.Errorf("RankBound(%d, %v, 0.95) = %d, %v, want %d", n, q, j, ok, want)
			}
			if below > 0 {
				if j, _ := RankBound(n-1, q, 0.95); j != n-uint64(below) {
					t.Errorf("RankBound(%d, %v, 0.95) = %d: one sample fewer must cost a rank", n-1, q, j)
				}
			}
		}
	}
}

// The definition with fractions, nothing rounded.
func TestRankBoundExact(t *testing.T) {
	qs := []string{"0.5", "0.9", "0.95", "0.99", "0.75", "0.001"}
	cs := []string{"0.5", "0.9", "0.95", "0.99", "0.19", "0.75", "0.875", "0.999999"}
	for _, qt := range qs {
		for n := int64(1); n <= 130; n += 1 + n/20 {
			below := cumulative(qt, n)
			for _, ct := range cs {
				c, _ := new(big.Rat).SetString(ct)
				want := uint64(0)
				for j := int64(1); j <= n; j++ {
					if below[j-1].Cmp(c) >= 0 {
						want = uint64(j)
						break
					}
				}
				q, _ := new(big.Rat).SetString(qt)
				qf, _ := q.Float64()
				cf, _ := c.Float64()
				got, ok := RankBound(uint64(n), qf, cf)
				if ok != (want > 0) || got != want {
					t.Errorf("RankBound(%d, %s, %s) = %d, %v, want %d", n, qt, ct, got, ok, want)
				}
			}
		}
	}
}

// cumulative[k] is P(Binomial(n, q) <= k).
func cumulative(qt string, n int64) []*big.Rat {
	q, _ := new(big.Rat).SetString(qt)
	p := new(big.Rat).Sub(big.NewRat(1, 1), q)
	pow := func(r *big.Rat, e int64) *big.Rat {
		return new(big.Rat).SetFrac(new(big.Int).Exp(r.Num(), big.NewInt(e), nil), new(big.Int).Exp(r.Denom(), big.NewInt(e), nil))
	}
	sums := make([]*big.Rat, n+1)
	sum := new(big.Rat)
	for k := int64(0); k <= n; k++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(n, k))
		term.Mul(term, pow(q, k))
		term.Mul(term, pow(p, n-k))
		sum = new(big.Rat).Add(sum, term)
		sums[k] = sum
	}
	return sums
}

// gonum's binomial goes through the incomplete beta function, a second method.
func TestRankBoundAgainstBeta(t *testing.T) {
	for _, q := range []float64{0.3, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999} {
		for _, c := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999999} {
			for _, n := range []uint64{200, 1003, 2995, 4743, 29956, 65_536, 1_000_000} {
				j, ok := RankBound(n, q, c)
				if !ok {
					continue
				}
				b := distuv.Binomial{N: float64(n), P: q}
				if at := b.CDF(float64(j - 1)); at < c-1e-9 {
					t.Errorf("RankBound(%d, %v, %v) = %d, but P(X < j) is %v", n, q, c, j, at)
				}
				if j > 1 {
					if at := b.CDF(float64(j - 2)); at >= c+1e-9 {
						t.Errorf("RankBound(%d, %v, %v) = %d, but %d is enough: %v", n, q, c, j, j-1, at)
					}
				}
			}
		}
	}
}

// For huge n the central limit theorem with its skewness term (Cornish and
// Fisher) gives the rank to within a few places.
func TestRankBoundHuge(t *testing.T) {
	z := distuv.UnitNormal.Quantile(0.95)
	for _, q := range []float64{0.5, 0.99, 0.999, 0.9999} {
		for _, n := range []uint64{1e8, 1e10, 1e12} {
			j, ok := RankBound(n, q, 0.95)
			if !ok {
				t.Fatalf("RankBound(%d, %v) is not finite", n, q)
			}
			f := float64(n)
			want := f*q + z*math.Sqrt(f*q*(1-q)) + (z*z-1)*(1-2*q)/6 + 0.5
			if math.Abs(float64(j)-want) > 2 {
				t.Errorf("RankBound(%d, %v) = %d, want about %.1f", n, q, j, want)
			}
		}
	}
}

func TestRankBoundOddArguments(t *testing.T) {
	tiny := math.SmallestNonzeroFloat64
	for _, q := range []float64{tiny, 1e-9, 0.5, 1 - 1e-9, math.Nextafter(1, 0)} {
		for _, c := range []float64{tiny, 1e-9, 0.5, math.Nextafter(1, 0)} {
			for _, n := range []uint64{1, 2, 1000, 1e9} {
				if j, ok := RankBound(n, q, c); ok && (j < 1 || j > n) {
					t.Errorf("RankBound(%d, %v, %v) = %d", n, q, c, j)
				}
			}
		}
	}
}

func BenchmarkRankBound(b *testing.B) {
	for b.Loop() {
		RankBound(1e12, 0.999, 0.95)
	}
}
