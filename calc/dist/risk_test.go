package dist

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

// between is a law of which is known what P(X > t) is at the given ascending
// times. Beyond the last time the upper law is Inf.
func between(times []time.Duration, over func(time.Duration) float64) Band {
	var low, high []atom
	before, previous := 1.0, time.Duration(0)
	for _, t := range times {
		share := before - over(t)
		low, high = append(low, atom{previous, share}), append(high, atom{t, share})
		before, previous = over(t), t
	}
	return Band{Lo: stepsOf(append(low, atom{previous, before})), Hi: stepsOf(append(high, atom{Inf, before}))}
}

// exponential is a known law: P(X > t) = e^(-t/mean), on n points up to the
// given one.
func exponential(mean, until time.Duration, n int) Band {
	var times []time.Duration
	for i := 1; i <= n; i++ {
		times = append(times, until*time.Duration(i)/time.Duration(n))
	}
	over := func(t time.Duration) float64 { return math.Exp(-t.Seconds() / mean.Seconds()) }
	return between(times, over)
}

// The worked answer of the model: hold exponential with mean 100 ms, nothing
// else, T = 1 s: e^-10.
func TestWorkedFixed(t *testing.T) {
	r := NewFixedRisk(Parts{Hold: exponential(100*ms, 3*time.Second, 3000)}, time.Second, time.Second, 0.95)
	f := r.At(time.Second)
	want := math.Exp(-10)
	if f.Lower > want || f.Upper < want || f.Upper > f.Lower*1.03 {
		t.Errorf("bracket [%g, %g] around %g", f.Lower, f.Upper, want)
	}
	if f.Wide != "" {
		t.Errorf("wide: %s", f.Wide)
	}
}

// The worked answer of the model: T = 30 s, I = 10 s, stops of exactly 25 s,
// M = 0: half of them lose the lease. At one stop an hour that is 1/7200 a second.
func TestWorkedRenewed(t *testing.T) {
	r := Renewal{Worth: 30 * time.Second, Interval: 10 * time.Second}
	f := r.LostPerStop(Point(25*time.Second), 0.95)
	if math.Abs(f.Lower-0.5) > 1e-8 || math.Abs(f.Upper-0.5) > 1e-8 || f.AnyDependence < 1 {
		t.Errorf("lost per stop %+v, want 0.5", f)
	}
	rate, _, _ := r.lossRate([]Pauses{{Rate: 1.0 / 3600, Length: Point(25 * time.Second)}}, 0.95)
	if math.Abs(rate.Upper-1.0/7200) > 1e-9 {
		t.Errorf("rate %g, want %g", rate.Upper, 1.0/7200)
	}
	// An hour's hold meets one stop on average: lost with 1 - e^-0.5.
	// The stops themselves move the renewals, by 10 s an hour at most.
	got := r.Risk([]Pauses{{Rate: 1.0 / 3600, Length: Point(25 * time.Second)}}, Point(time.Hour), 0.95)
	want := 1 - math.Exp(-0.5)
	if got.Lower > want || got.Lower < want-2e-3 || got.Upper < want || got.Upper > want+2e-3 {
		t.Errorf("per acquisition %+v, want %g", got, want)
	}
	// 20 s is just survived from any phase, 30 s from none.
	if got := r.LostPerStop(Point(20*time.Second), 0.95); got.Upper != 0 || got.AnyDependence != 0 {
		t.Errorf("20s: %+v", got)
	}
	if got := r.LostPerStop(Point(30*time.Second), 0.95); got.Lower < 1-1e-8 {
		t.Errorf("30s: %+v", got)
	}
}

// Three exponential parts of unlike means have a closed form; the grid's
// bracket must hold it, within a factor of 2 down to 1e-9.
func TestHypoexponential(t *testing.T) {
	means := []time.Duration{100 * ms, 60 * ms, 30 * ms}
	band := func(mean time.Duration) Band { return logLaw(mean, 4*time.Second) }
	for _, T := range []time.Duration{300 * ms, time.Second, 2200 * ms} {
		// hold + network + a second network: two grid sums.
		two := add2(band(means[1]), band(means[2]), T)
		f := NewFixedRisk(Parts{Hold: band(means[0]), Network: two}, T, T, 0.95).At(T)
		want := 0.0
		for i, a := range means {
			c := 1.0
			for j, b := range means {
				if i != j {
					c *= a.Seconds() / (a.Seconds() - b.Seconds())
				}
			}
			want += c * math.Exp(-T.Seconds()/a.Seconds())
		}
		if f.Lower > want || f.Upper < want {
			t.Errorf("T %v: [%g, %g] misses %g", T, f.Lower, f.Upper, want)
		}
		if f.Upper > 2*f.Lower {
			t.Errorf("T %v: [%g, %g] is wider than a factor of 2", T, f.Lower, f.Upper)
		}
	}
}

// logLaw is an exponential law on a grid of 0.2 %.
func logLaw(mean, until time.Duration) Band {
	var times []time.Duration
	for e := mean / 1000; e <= until; e += e/500 + 1 {
		times = append(times, e)
	}
	over := func(t time.Duration) float64 { return math.Exp(-t.Seconds() / mean.Seconds()) }
	return between(times, over)
}

func add2(a, b Band, limit time.Duration) Band {
	g := newGrid(limit, limit, 400)
	return Band{Lo: g.sum(a.Lo, b.Lo, down), Hi: g.sum(a.Hi, b.Hi, up)}
}

func drawLaw(t *rapid.T, name string, most int, unit time.Duration) ([]time.Duration, []float64, Band) {
	n := rapid.IntRange(1, most).Draw(t, name+" values")
	values := make([]time.Duration, n)
	weights := make([]float64, n)
	total := 0.0
	for i := range n {
		values[i] = unit * time.Duration(rapid.IntRange(0, 400).Draw(t, name))
		weights[i] = float64(rapid.IntRange(1, 1000).Draw(t, name+" weight"))
		total += weights[i]
	}
	for i := range weights {
		weights[i] /= total
	}
	return values, weights, Law(values, weights)
}

// Every way the parts can fall, counted one by one: the second method.
func TestAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hs, hp, hold := drawLaw(t, "hold", 8, ms)
		ps, pp, length := drawLaw(t, "pause", 3, ms)
		ns, np, network := drawLaw(t, "network", 6, ms)
		rate := rapid.Float64Range(0, 3).Draw(t, "rate")
		T := time.Duration(rapid.IntRange(1, 1200).Draw(t, "T")) * ms

		want := 0.0
		for i, h := range hs {
			mu := rate * h.Seconds()
			for j, x := range ns {
				want += hp[i] * np[j] * compoundExceeds(T-h-x, mu, ps, pp)
			}
		}
		f := NewFixedRisk(Parts{Hold: hold, Pauses: Pauses{rate, length}, Network: network}, T, T, 0.95).At(T)
		if f.Lower > want*(1+1e-9)+1e-13 || f.Upper < want*(1-1e-9)-1e-13 {
			t.Fatalf("[%g, %g] misses %g", f.Lower, f.Upper, want)
		}
		if f.Upper > 1.02*f.Lower+1e-12 {
			t.Fatalf("[%g, %g] is wide for a small law", f.Lower, f.Upper)
		}
		if f.AnyDependence < f.Upper {
			t.Fatalf("any dependence %g below independent %g", f.AnyDependence, f.Upper)
		}
	})
}

// compoundExceeds is P(sum of N pauses > room), N Poisson of mu, by recursion
// over the number of pauses of each length.
func compoundExceeds(room time.Duration, mu float64, lengths []time.Duration, p []float64) float64 {
	// Independent Poisson counts of each length (thinning).
	var atMost func(i int, room time.Duration) float64
	atMost = func(i int, room time.Duration) float64 {
		if room < 0 {
			return 0
		}
		if i == len(lengths) {
			return 1
		}
		sum, term := 0.0, math.Exp(-mu*p[i])
		for k := 0; k < 40; k++ {
			sum += term * atMost(i+1, room-time.Duration(k)*lengths[i])
			term *= mu * p[i] / float64(k+1)
		}
		return sum
	}
	return 1 - atMost(0, room)
}

// Many values force the grid; the exact sum stays inside its bracket.
func TestGridHoldsExactSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 1))
		law := func(n int) ([]time.Duration, []float64, Band) {
			v, p := make([]time.Duration, n), make([]float64, n)
			for i := range v {
				v[i], p[i] = time.Duration(math.Exp(r.Float64()*9)*1e4), 1/float64(n)
			}
			return v, p, Law(v, p)
		}
		xs, xp, x := law(150)
		ys, yp, y := law(120)
		limit := 200 * ms
		sum := add2(x, y, limit)
		for range 20 {
			T := time.Duration(r.Float64() * float64(limit))
			want := 0.0
			for i := range xs {
				for j := range ys {
					if xs[i]+ys[j] > T {
						want += xp[i] * yp[j]
					}
				}
			}
			lo, hi := sum.Lo.Exceeds(T), sum.Hi.Exceeds(T)
			if lo > want+1e-12 || hi < want-1e-12 {
				t.Fatalf("T %v: [%g, %g] misses %g", T, lo, hi, want)
			}
		}
	})
}

// Laws of section 12: F(T) never rises with T, and lower <= independent <=
// any dependence.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Builder
		for range rapid.IntRange(1, 12).Draw(t, "buckets") {
			lo := time.Duration(rapid.IntRange(0, 900).Draw(t, "lo")) * ms
			width := time.Duration(rapid.IntRange(0, 300).Draw(t, "width")) * ms
			b.AddRange(lo, lo+width, rapid.Uint64Range(1, 5000).Draw(t, "n"))
		}
		if rapid.Bool().Draw(t, "open") {
			b.AddRange(time.Second, Inf, rapid.Uint64Range(1, 10).Draw(t, "n open"))
		}
		_, _, length := drawLaw(t, "pause", 4, 5*ms)
		length.Samples = rapid.Uint64Range(0, 50).Draw(t, "pauses")
		_, _, network := drawLaw(t, "network", 4, ms)
		rate := rapid.Float64Range(0, 0.5).Draw(t, "rate")
		r := NewFixedRisk(Parts{Hold: BandOf(b.Dist()), Pauses: Pauses{rate, length}, Network: network}, 100*ms, 6*time.Second, 0.95)
		last := Figure{Lower: 1, Upper: 1, Estimate: 1, AnyDependence: 1, Sampled: 1}
		for T := 100 * ms; T <= 6*time.Second; T += 490 * ms {
			f := r.At(T)
			if f.Lower > f.Upper || f.Upper > f.AnyDependence || f.Upper > f.Sampled || f.AnyDependence > 1 || f.Sampled > 1 {
				t.Fatalf("T %v: out of order %+v", T, f)
			}
			if f.Lower > last.Upper || f.Upper > last.Upper || f.Estimate > last.Estimate || f.AnyDependence > last.AnyDependence || f.Sampled > last.Sampled {
				t.Fatalf("T %v: rises from %+v to %+v", T, last, f)
			}
			last = f
		}
	})
}

// The bound for any dependence is sharp: a coupling is constructed that
// attains it. The upper ends of X are paired with the lower ends of Y that
// just suffice, quantile by quantile.
func TestAnyDependenceIsAttained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		draw := func(name string) []time.Duration {
			v := rapid.SliceOfN(rapid.IntRange(0, 100), n, n).Draw(t, name)
			out := make([]time.Duration, n)
			for i, x := range v {
				out[i] = time.Duration(x) * ms
			}
			return out
		}
		xs, ys := draw("x"), draw("y")
		T := time.Duration(rapid.IntRange(0, 200).Draw(t, "T")) * ms
		p := make([]float64, n)
		for i := range p {
			p[i] = 1 / float64(n)
		}
		f := NewFixedRisk(Parts{Hold: Law(xs, p), Network: Law(ys, p)}, T, T, 0.95).At(T)
		worst := float64(mostPairsAbove(xs, ys, T)) / float64(n)
		if math.Abs(f.AnyDependence-worst) > 1e-6 {
			t.Fatalf("bound %g, worst coupling %g", f.AnyDependence, worst)
		}
	})
}

// mostPairsAbove couples equally likely values of x and y so that as many
// pairs as can be exceed T: each x, longest first, takes the shortest y that
// is left and suffices.
func mostPairsAbove(xs, ys []time.Duration, T time.Duration) int {
	used := make([]bool, len(ys))
	order := append([]time.Duration(nil), xs...)
	for i := range order {
		for j := i + 1; j < len(order); j++ {
			if order[j] > order[i] {
				order[i], order[j] = order[j], order[i]
			}
		}
	}
	pairs := 0
	for _, x := range order {
		best := -1
		for j, y := range ys {
			if !used[j] && x+y > T && (best < 0 || y < ys[best]) {
				best = j
			}
		}
		if best >= 0 {
			used[best] = true
			pairs++
		}
	}
	return pairs
}

// The figure with sampling error must lie above the truth at least as often as
// the confidence says.
func TestSampledCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const trials = 400
	T := 460 * ms
	rate := 2.0
	sample := func(n int, mean time.Duration) *Dist {
		var b Builder
		for range n {
			v := time.Duration(rng.ExpFloat64() * float64(mean)).Truncate(5 * ms)
			b.AddRange(v, v, 1)
		}
		return b.Dist()
	}
	// The truth, from many more samples by simulation of the same law.
	hits, total := 0, 4_000_000
	draw := func(mean time.Duration) time.Duration {
		return time.Duration(rng.ExpFloat64() * float64(mean)).Truncate(5 * ms)
	}
	for range total {
		h := draw(60 * ms)
		s := h
		for left := rng.ExpFloat64() / rate; left < h.Seconds(); left += rng.ExpFloat64() / rate {
			s += draw(40 * ms)
		}
		if s+draw(10*ms) > T {
			hits++
		}
	}
	truth := float64(hits) / float64(total)
	covered := 0
	for range trials {
		pauses := sample(80, 40*ms)
		seen := float64(pauses.Count())
		exposure := 0.0 // the window in which the 80th pause fell
		for range 80 {
			exposure += rng.ExpFloat64() / rate
		}
		r := NewFixedRisk(Parts{
			Hold:    BandOf(sample(500, 60*ms)),
			Pauses:  Pauses{seen / exposure, BandOf(pauses)},
			Network: BandOf(sample(300, 10*ms)),
		}, T, T, 0.95)
		if r.at(T, firstParts).Sampled >= truth {
			covered++
		}
	}
	if covered < trials*95/100 {
		t.Errorf("covered %d of %d, truth %g", covered, trials, truth)
	}
}

// With no loss in n samples the bound is 1 - alpha^(1/n): the rule of three.
func TestMeanBound(t *testing.T) {
	for _, n := range []float64{10, 299, 1e6} {
		want := -math.Expm1(math.Log(0.05) / n)
		if got := meanBound(0, n, 0.05); math.Abs(got-want) > 1e-9*want+1e-15 {
			t.Errorf("n %g: %g, want %g", n, got, want)
		}
	}
	if got := rateBound(0, 0.05); math.Abs(got+math.Log(0.05)) > 1e-12 {
		t.Errorf("no events: %g, want %g", got, -math.Log(0.05))
	}
}

// Claims say what they say and no more.
func TestClaims(t *testing.T) {
	b := ClaimBand([]Percentile{{Q: 0.999, Value: 800 * ms}, {Q: 0.5, Value: 60 * ms}, {Q: 0.99, Value: 200 * ms}})
	r := NewFixedRisk(Parts{Hold: b}, 100*ms, time.Minute, 0.95)
	for _, c := range []struct {
		T           time.Duration
		lower, high float64
		estimate    float64
	}{
		{800 * ms, 0, 0.001, 0.001},
		{200 * ms, 0.001, 0.01, 0.01},
		{799 * ms, 0.001, 0.01, 0.001003},
		// Half way between P99 and P99.9, half way on the logarithm too.
		{500 * ms, 0.001, 0.01, math.Sqrt(0.01 * 0.001)},
		// One more piece of the same slope: another factor of ten.
		{1400 * ms, 0, 0.001, 0.0001},
	} {
		f := r.At(c.T)
		if math.Abs(f.Lower-c.lower) > 1e-8 || math.Abs(f.Upper-c.high) > 1e-8 {
			t.Errorf("%v: [%g, %g], want [%g, %g]", c.T, f.Lower, f.Upper, c.lower, c.high)
		}
		if !f.Extrapolated || f.Estimate < c.estimate*0.999 || f.Estimate > c.estimate*1.06 {
			t.Errorf("%v: estimate %g, want just above %g, extrapolated %v", c.T, f.Estimate, c.estimate, f.Extrapolated)
		}
	}
	// A claimed maximum ends the law.
	b = ClaimBand([]Percentile{{Q: 0.99, Value: 200 * ms}, {Q: 1, Value: time.Second}})
	if f := NewFixedRisk(Parts{Hold: b}, 100*ms, time.Minute, 0.95).At(time.Second); f.Upper > 1e-15 || f.Estimate > 1e-15 {
		t.Errorf("beyond the maximum: %+v", f)
	}
}

// A bucket that straddles T keeps the bracket open, and the figure says so.
func TestWideSaysWhy(t *testing.T) {
	var b Builder
	b.AddRange(0, 400*ms, 99_000)
	b.AddRange(400*ms, 800*ms, 1000)
	f := NewFixedRisk(Parts{Hold: BandOf(b.Dist())}, 500*ms, 500*ms, 0.95).At(500 * ms)
	if f.Wide == "" {
		t.Errorf("bracket [%g, %g] without a reason", f.Lower, f.Upper)
	}
	var open Builder
	open.AddRange(0, 400*ms, 99_000)
	open.AddRange(400*ms, Inf, 10)
	f = NewFixedRisk(Parts{Hold: BandOf(open.Dist())}, time.Hour, time.Hour, 0.95).At(time.Hour)
	if want := 10.0 / 99_010; f.Upper < want {
		t.Errorf("an open bucket counts as lost at any T: %g, want %g", f.Upper, want)
	}
}

// Three observed laws of four decades each on a grid of 1 %, with the bracket.
func BenchmarkRiskFigure(b *testing.B) {
	law := func(mean time.Duration) Band {
		var times []time.Duration
		for e := mean / 1000; e <= mean*10; e += e / 100 {
			times = append(times, e)
		}
		over := func(t time.Duration) float64 { return math.Exp(-t.Seconds() / mean.Seconds()) }
		return between(times, over)
	}
	parts := Parts{Hold: law(100 * ms), Pauses: Pauses{0.1, law(40 * ms)}, Network: law(10 * ms)}
	b.ReportMetric(float64(parts.Hold.Hi.Len()), "steps")
	for b.Loop() {
		f := NewFixedRisk(parts, 1200*ms, 1200*ms, 0.95).at(1200*ms, firstParts)
		if f.Upper < f.Lower {
			b.Fatal(f)
		}
	}
}

// The same with the classic buckets of a histogram, refinement included.
func BenchmarkRiskFigureOfHistograms(b *testing.B) {
	hist := func(unit time.Duration) Band {
		var d Builder
		lo := time.Duration(0)
		for i := range 14 {
			d.AddRange(lo, unit<<i, uint64(1e6)>>i)
			lo = unit << i
		}
		return BandOf(d.Dist())
	}
	parts := Parts{Hold: hist(ms), Pauses: Pauses{0.1, hist(ms / 4)}, Network: hist(ms / 8)}
	for b.Loop() {
		NewFixedRisk(parts, 3*time.Second, 3*time.Second, 0.95).At(3 * time.Second)
	}
}

// Frequent pauses are summed by exposure: the simulated share of losses lies
// in the bracket, which stays narrow.
func TestFrequentPauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	hold := Law([]time.Duration{200 * ms, time.Second, 3 * time.Second}, []float64{0.6, 0.3, 0.1})
	length := Law([]time.Duration{2 * ms, 5 * ms, 40 * ms}, []float64{0.6, 0.35, 0.05})
	for _, rate := range []float64{3, 12, 30} {
		load := 1 + rate*length.Hi.Mean()
		for _, T := range []time.Duration{time.Duration(3.0 * load * float64(time.Second)), time.Duration(3.0*load*float64(time.Second)) + 30*ms} {
			f := NewFixedRisk(Parts{Hold: hold, Pauses: Pauses{rate, length}}, T, T, 0.95).At(T)
			lost := 0
			const n = 300_000
			for range n {
				h := 200 * ms
				if u := rng.Float64(); u < 0.1 {
					h = 3 * time.Second
				} else if u < 0.4 {
					h = time.Second
				}
				total := h
				for at := rng.ExpFloat64() / rate; at < h.Seconds(); at += rng.ExpFloat64() / rate {
					switch u := rng.Float64(); {
					case u < 0.6:
						total += 2 * ms
					case u < 0.95:
						total += 5 * ms
					default:
						total += 40 * ms
					}
				}
				if total > T {
					lost++
				}
			}
			p := float64(lost) / n
			noise := 4 * math.Sqrt(p/n)
			if p < f.Lower-noise || p > f.Upper+noise {
				t.Errorf("rate %g T %v: [%g, %g] misses %g", rate, T, f.Lower, f.Upper, p)
			}
			if f.Upper > 2*f.Lower && f.Wide == "" || f.Upper > 10*f.Lower {
				t.Errorf("rate %g T %v: [%g, %g] is wide: %s", rate, T, f.Lower, f.Upper, f.Wide)
			}
		}
	}
}
