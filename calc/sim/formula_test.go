package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// draw makes a random law of up to n values on a grid of 1 ms.
func draw(r *rand.Rand, n int, most time.Duration) dist.Band {
	values := make([]time.Duration, n)
	p := make([]float64, n)
	total := 0.0
	for i := range values {
		values[i] = time.Duration(r.Float64()*r.Float64()*float64(most)) / ms * ms
		p[i] = r.ExpFloat64()
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return dist.Law(values, p)
}

// The formulas against the simulation for a grid of plans: the bracketed
// figure misses the simulation's 99 % interval about once in a hundred.
func TestFormulaAgainstSimulation(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const plans = 240
	misses := 0
	for i := range plans {
		hold := draw(r, 1+r.IntN(12), 800*ms)
		pauses := dist.Pauses{Rate: r.Float64() * 3, Length: draw(r, 1+r.IntN(4), 500*ms)}
		network := draw(r, 1+r.IntN(5), 60*ms)
		var f dist.Figure
		c := &Cycle{Hold: From(hold.Hi), Network: From(network.Hi), Pause: From(pauses.Length.Hi)}
		if i%2 == 0 {
			c.Worth = time.Duration(200+r.IntN(1200)) * ms
			c.Gap = Every(pauses.Rate)
			f = dist.NewFixedRisk(dist.Parts{Hold: hold, Pauses: pauses, Network: network}, c.Worth, c.Worth, 0.95).At(c.Worth)
		} else {
			// A thousand intervals a hold make the phase of a pause uniform.
			hold = draw(r, 1+r.IntN(5), 40*time.Minute).Shift(4 * time.Minute)
			pauses.Rate = (0.5 + r.Float64()) / 1800
			pauses.Length = draw(r, 1+r.IntN(6), 2*sec)
			c.Hold, c.Pause = From(hold.Hi), From(pauses.Length.Hi)
			c.Interval = time.Duration(100+r.IntN(300)) * ms
			c.Spacing = c.Interval
			c.Margin = time.Duration(r.IntN(50)) * ms
			c.Worth = c.Interval + c.Margin + time.Duration(r.IntN(1500))*ms
			c.Gap = Every(pauses.Rate)
			f = dist.Renewal{Worth: c.Worth, Interval: c.Interval, Margin: c.Margin}.Risk([]dist.Pauses{pauses}, hold, 0.95)
		}
		out := c.Run(60_000, rand.NewPCG(uint64(i), 5))
		s := ShareOf(out.Lost, out.Acquisitions)
		if f.Upper < s.Low || f.Lower > s.High {
			misses++
			t.Logf("plan %d: formula [%g, %g], simulation [%g, %g]", i, f.Lower, f.Upper, s.Low, s.High)
		}
		if f.Upper > 2*f.Lower+1e-12 {
			t.Errorf("plan %d: wide bracket [%g, %g]", i, f.Lower, f.Upper)
		}
	}
	// More than 8 of 240 at 1 % each has a chance below 0.2 %.
	if misses > 8 {
		t.Errorf("%d of %d plans outside their 99 %% interval", misses, plans)
	}
}

// Failures in a row: the lease is lost when more renewals fail than fit. The
// chance per acquisition has a closed form when the hold is a whole number of
// intervals and r = I: a run of more than k failures among n attempts.
func TestRunsOfFailures(t *testing.T) {
	for _, c := range []struct {
		p    float64
		n, k int
	}{{0.1, 50, 1}, {0.3, 100, 3}, {0.02, 500, 1}} {
		cycle := &Cycle{
			Hold: Always(time.Duration(c.n)*sec + 1), Network: Always(0), Gap: Always(dist.Inf), Pause: Always(0),
			Interval: sec, Spacing: sec, Worth: time.Duration(c.k+1) * sec, CallFails: c.p,
		}
		// state[j] is the chance of j failures in a row now.
		state := make([]float64, c.k+2)
		state[0] = 1
		for range c.n {
			next := make([]float64, c.k+2)
			for j, q := range state {
				if j > c.k {
					next[j] += q
					continue
				}
				next[0] += q * (1 - c.p)
				next[j+1] += q * c.p
			}
			state = next
		}
		want := state[c.k+1]
		out := cycle.Run(200_000, rand.NewPCG(3, 4))
		if s := ShareOf(out.Lost, out.Acquisitions); want < s.Low || want > s.High {
			t.Errorf("p %g n %d k %d: simulation [%g, %g], exact %g", c.p, c.n, c.k, s.Low, s.High, want)
		}
	}
}

// M/G/1: the queue's mean wait is Pollaczek-Khinchine's.
func TestQueueAgainstPollaczekKhinchine(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	misses := 0
	const plans = 40
	for i := range plans {
		hold := draw(r, 1+r.IntN(8), 100*ms).Shift(ms)
		load := 0.1 + 0.7*r.Float64()
		rate := load / hold.Hi.Mean()
		want := rate * hold.Hi.Square() / (2 * (1 - load))
		q := &Queue{Gap: Every(rate), Hold: From(hold.Hi), Hand: Always(0)}
		means := Each(Shards, uint64(i), nil, func(_ int, r *rand.PCG) float64 {
			w := &Waits{}
			q.Run(15_000, r, w)
			return w.Wait.Mean()
		})
		mean, half := meanInterval(means)
		if math.Abs(mean-want) > half {
			misses++
			t.Logf("plan %d: load %.2f, simulated %.5f ± %.5f s, formula %.5f s", i, load, mean, half, want)
		}
	}
	if misses > 3 {
		t.Errorf("%d of %d waits outside their 99 %% interval", misses, plans)
	}
}

// meanInterval is a mean of 64 independent values with its 99 % half-width
// (Student's t of 63 degrees, 2.656).
func meanInterval(v []float64) (mean, half float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	ss := 0.0
	for _, x := range v {
		ss += (x - mean) * (x - mean)
	}
	return mean, 2.656 * math.Sqrt(ss/float64(len(v)-1)/float64(len(v)))
}

// M/M/1 with patience: the share that gives up after A is known (Baccelli and
// Hebuterne 1981): with deterministic patience in an M/M/1 queue
// P = (1-rho) rho e^(-(mu-lambda)A) / (1 - rho² e^(-(mu-lambda)A)).
func TestPatience(t *testing.T) {
	for _, c := range []struct{ lambda, mu, wait float64 }{{8, 10, 0.5}, {20, 10, 0.2}, {5, 10, 0.3}} {
		rho := c.lambda / c.mu
		e := math.Exp(-(c.mu - c.lambda) * c.wait)
		want := (1 - rho) * rho * e / (1 - rho*rho*e)
		q := &Queue{
			Gap: Every(c.lambda), Hold: Exponential(float64(sec) / c.mu), Hand: Always(0),
			Wait: time.Duration(c.wait * float64(sec)),
		}
		w := &Waits{}
		q.Run(4_000_000, rand.NewPCG(5, 6), w)
		if got := 1 - w.Success(); math.Abs(got-want) > 0.02*want {
			t.Errorf("%+v: %.5f give up, want %.5f", c, got, want)
		}
	}
}

// The sources have the laws that they say.
func TestSources(t *testing.T) {
	r := rand.NewPCG(1, 2)
	const n = 2_000_000
	over, sum := 0, 0.0
	for range n {
		d := Exponential(100 * ms).Draw(r)
		sum += d.Seconds()
		if d > 1000*ms {
			over++
		}
	}
	if mean := sum / n; math.Abs(mean-0.1) > 0.0003 {
		t.Errorf("mean %g, want 0.1", mean)
	}
	if s := ShareOf(uint64(over), n); s.Low > math.Exp(-10) || s.High < math.Exp(-10) {
		t.Errorf("beyond 10 means: [%g, %g], want e^-10 = %g", s.Low, s.High, math.Exp(-10))
	}
	law := dist.Law([]time.Duration{ms, 2 * ms, 5 * ms, dist.Inf}, []float64{0.5, 0.3, 0.1999, 0.0001})
	table := From(law.Hi)
	counts := map[time.Duration]uint64{}
	for range n {
		counts[table.Draw(r)]++
	}
	for i := range law.Hi.Len() {
		v, p := law.Hi.Atom(i)
		if s := ShareOf(counts[v], n); s.Low > p || s.High < p {
			t.Errorf("%v: [%g, %g], want %g", v, s.Low, s.High, p)
		}
	}
}

// The same seed gives the same numbers, whatever the number of cores; these
// were made on amd64.
func TestSameEverywhere(t *testing.T) {
	c := uncontended()
	var sum Cycles
	for _, o := range Each(8, 42, nil, func(_ int, r *rand.PCG) Cycles { return c.Run(10_000, r) }) {
		sum = sum.Add(o)
	}
	out := &Outcome{}
	new(Runner).Play(contended(), time.Minute, rand.NewPCG(42, 0), out)
	got := fmt.Sprint(sum.Lost, sum.Renewals, int64(sum.Held), out.Events, out.Acquired, int64(out.Wait.Quantile(0.99)))
	if want := "6 84353 1198058841993768 36324 2803 868220927"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTally(t *testing.T) {
	var tally Tally
	for i := 1; i <= 1000; i++ {
		tally.Add(time.Duration(i) * ms)
	}
	for _, c := range []struct {
		q    float64
		want time.Duration
	}{{0.5, 500 * ms}, {0.99, 990 * ms}, {1, 1000 * ms}} {
		got := tally.Quantile(c.q)
		if got < c.want || float64(got) > 1.008*float64(c.want) {
			t.Errorf("P%g: %v, want %v and at most 0.8 %% more", 100*c.q, got, c.want)
		}
	}
	if tally.Worst() != sec || math.Abs(tally.Mean()-0.5005) > 1e-9 {
		t.Errorf("worst %v mean %g", tally.Worst(), tally.Mean())
	}
}

// Published Clopper-Pearson limits: none of n is ln(200)/n and the textbook's
// 99 % limits of 5 in 10.
func TestShareOf(t *testing.T) {
	s := ShareOf(0, 10_000)
	if want := 1 - math.Pow(0.005, 1.0/10_000); s.Low != 0 || math.Abs(s.High-want) > 1e-5*want {
		t.Errorf("0 of 10000: [%g, %g], want [0, %g]", s.Low, s.High, want)
	}
	s = ShareOf(5, 10)
	if math.Abs(s.Low-0.1283) > 1e-4 || math.Abs(s.High-0.8717) > 1e-4 {
		t.Errorf("5 of 10: [%g, %g], want [0.1283, 0.8717]", s.Low, s.High)
	}
}
