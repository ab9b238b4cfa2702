package dist

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// law draws from generalised Pareto tails: x is uniform in (0, 1).
type law struct {
	xi   float64
	draw func(x float64) float64 // seconds
}

var laws = map[string]law{
	"exponential": {0, func(x float64) float64 { return -0.1 * math.Log(x) }},
	"Pareto 2":    {0.5, func(x float64) float64 { return 0.1 * math.Pow(x, -0.5) }},
	"Pareto 1":    {1, func(x float64) float64 { return 0.1 / x }},
	"beta 1, 4":   {-0.25, func(x float64) float64 { return 1 - math.Pow(x, 0.25) }},
}

func sample1(l law, n int, seed uint64, edges []time.Duration) *Dist {
	r := rand.New(rand.NewPCG(seed, 7))
	var b Builder
	for range n {
		v := time.Duration(l.draw(1-r.Float64()) * 1e9)
		if edges == nil {
			b.AddRange(v, v, 1)
			continue
		}
		lo := time.Duration(0)
		hi := Inf
		for _, e := range edges {
			if v <= e {
				hi = e
				break
			}
			lo = e
		}
		b.AddRange(lo, hi, 1)
	}
	return b.Dist()
}

// fine are edges 9 % apart, as a native histogram of schema 3 has them.
func fine() (edges []time.Duration) {
	for e := float64(time.Millisecond); e < 1e12; e *= 1.0905077 {
		edges = append(edges, time.Duration(e))
	}
	return edges
}

// A 95 % interval misses the true shape one time in twenty: of 25 samples of
// each law at most 5 may (a binomial tail of 0.1 %).
func TestTailIntervalCoversTheShape(t *testing.T) {
	for name, l := range laws {
		for form, edges := range map[string][]time.Duration{"raw": nil, "buckets": fine()} {
			missed := 0
			for seed := range uint64(25) {
				tail, ok := sample1(l, 3000, seed, edges).Tail(0.95)
				if !ok {
					t.Fatalf("%s %s: no fit", name, form)
				}
				if l.xi < tail.Low || l.xi > tail.High {
					missed++
				}
			}
			if missed > 5 {
				t.Errorf("%s %s: the interval misses %v in %d of 25", name, form, l.xi, missed)
			}
		}
	}
}

func TestTailVerdicts(t *testing.T) {
	for name, want := range map[string]string{"exponential": Light, "Pareto 1": Heavy, "beta 1, 4": Bounded} {
		for form, edges := range map[string][]time.Duration{"raw": nil, "buckets": fine()} {
			tail, ok := sample1(laws[name], 40_000, 1, edges).Tail(0.95)
			if !ok || tail.Verdict != want {
				t.Errorf("%s %s: %q, %+v", name, form, tail.Verdict, tail)
			}
		}
	}
}

// The quantile of the law itself lies within the extrapolation's bound.
func TestTailQuantile(t *testing.T) {
	for name, l := range laws {
		d := sample1(l, 20_000, 3, nil)
		tail, _ := d.Tail(0.95)
		truth := time.Duration(l.draw(1-0.99999) * 1e9)
		estimate, upper, ok := tail.Quantile(0.99999)
		if !ok || upper < truth || estimate > upper || float64(upper) > 10*float64(truth) {
			t.Errorf("%s: P99.999 is %v, estimated %v up to %v", name, truth, estimate, upper)
		}
		if _, _, ok := tail.Quantile(0.5); ok {
			t.Errorf("%s: the median is no matter of the tail", name)
		}
	}
}

// Too little to tell a shape: few samples, one bucket, all in the open one.
func TestTailWithoutEvidence(t *testing.T) {
	var few, flat, open Builder
	for i := range 40 {
		few.AddRange(time.Duration(i+1), time.Duration(i+1), 1)
	}
	flat.AddRange(0, time.Second, 10_000)
	open.AddRange(0, time.Second, 5000)
	open.AddRange(time.Second, Inf, 5000)
	for name, d := range map[string]*Dist{"few": few.Dist(), "flat": flat.Dist(), "open": open.Dist(), "nothing": {}} {
		if tail, ok := d.Tail(0.95); ok {
			t.Errorf("%s: %+v", name, tail)
		}
	}
	if _, ok := sample1(laws["exponential"], 1000, 1, nil).Tail(1); ok {
		t.Error("certainty is no confidence")
	}
}

func BenchmarkTailRaw(b *testing.B) {
	d := sample1(laws["exponential"], 100_000, 1, nil)
	for b.Loop() {
		d.Tail(0.95)
	}
}
