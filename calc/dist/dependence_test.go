package dist

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// valuesOf is n equally likely values.
func valuesOf(n int, draw func(int) float64) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = time.Duration(draw(i) * float64(ms))
	}
	return out
}

func equally(values []time.Duration) Band {
	p := make([]float64, len(values))
	for i := range p {
		p[i] = 1 / float64(len(p))
	}
	return Law(values, p)
}

// Two parts of many values: a coupling is built in which as many pairs as the
// bound says exceed T. The longest x takes the shortest y that suffices, and so
// on down.
func TestAnyDependenceOfManyValuesIsAttained(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 12_000
	for range 8 {
		mean, shape := 0.5+5*r.Float64(), 0.3+r.Float64()
		xs := valuesOf(n, func(int) float64 { return 1000 * math.Exp(shape*r.NormFloat64()) })
		ys := valuesOf(n, func(int) float64 { return 1000 * mean * r.ExpFloat64() })
		up, down := slices.Sorted(slices.Values(ys)), slices.Sorted(slices.Values(xs))
		slices.Reverse(down)
		hold, network := equally(xs), equally(ys)
		for _, T := range []time.Duration{2 * time.Second, 8 * time.Second, 15 * time.Second, 30 * time.Second} {
			pairs, next := 0, 0
			for _, x := range down {
				for next < n && x+up[next] <= T {
					next++
				}
				if next < n {
					pairs++
					next++
				}
			}
			worst := float64(pairs) / n
			for _, parts := range []Parts{{Hold: hold, Network: network}, {Hold: network, Network: hold}} {
				f := NewFixedRisk(parts, T, T, 0.95).At(T)
				// Who is more likely without any tie is reckoned on the grid.
				if f.AnyDependence > max(f.Upper, worst)*(1+1e-6) || f.AnyDependence < worst {
					t.Errorf("T %v: bound %g, worst coupling %g, independent %g", T, f.AnyDependence, worst, f.Upper)
				}
			}
		}
	}
}

// Makarov (1981): two exponential parts of mean 1 exceed s together with at
// most 2 e^(-s/2), the least of e^-u + e^-(s-u).
func TestMakarovOfExponentials(t *testing.T) {
	const n = 15_000
	tail := func(i int) float64 { return 1000 * -math.Log((float64(i)+0.5)/n) }
	law := equally(valuesOf(n, tail))
	for _, s := range []float64{2, 5, 8, 12} {
		T := time.Duration(s * float64(time.Second))
		want := 2 * math.Exp(-s/2)
		if f := NewFixedRisk(Parts{Hold: law, Network: law}, T, T, 0.95).At(T); math.Abs(f.AnyDependence-want) > 0.02*want+1.0/n {
			t.Errorf("s %g: bound %g, want %g", s, f.AnyDependence, want)
		}
	}
}

// Three parts: no bound is far from the least over every split.
func TestAnyDependenceOfThree(t *testing.T) {
	const n = 900
	tail := func(scale float64) []time.Duration {
		return valuesOf(n, func(i int) float64 { return scale * -math.Log((float64(i)+0.5)/n) })
	}
	hold, network, length := equally(tail(1000)), equally(tail(300)), Law([]time.Duration{400 * ms, 900 * ms, 2500 * ms}, []float64{0.7, 0.25, 0.05})
	for _, T := range []time.Duration{3 * time.Second, 6 * time.Second, 9 * time.Second} {
		r := NewFixedRisk(Parts{Hold: hold, Network: network, Pauses: Pauses{Rate: 0.02, Length: length}}, T, T, 0.95)
		f := r.At(T)
		m := r.model(firstParts)
		pauses := func(v time.Duration) float64 {
			sum := 0.0
			for k := 1; k < 6; k++ {
				sum += poisson(k, 0.02*T.Seconds()) * m.upper.onlyPauses(k).Exceeds(v)
			}
			return sum
		}
		least := 1.0
		for i, x := range hold.Hi.at {
			for j, y := range network.Hi.at {
				if two := hold.Hi.after(i) + network.Hi.after(j); x+y <= T && two < least {
					least = min(least, two+pauses(T-x-y))
				}
			}
		}
		if f.AnyDependence < least*(1-1e-6) || f.AnyDependence > 1.1*max(least, f.Upper) {
			t.Errorf("T %v: bound %g, least of all splits %g", T, f.AnyDependence, least)
		}
	}
}
