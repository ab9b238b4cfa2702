package sim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/portable"
)

// Rare estimates P(hold + pauses + network > T) of a fixed lease when that is
// far too rare to wait for: importance sampling. What one hold alone does is
// summed exactly; the rest is drawn from the laws that are tilted
// exponentially until T is an everyday total, and every draw counts with the
// ratio of the two laws.
type Rare struct {
	Hold, Length, Network dist.Steps
	PauseRate             float64 // per second of holding
	Worth                 time.Duration
}

// Estimate is a probability with its 99 % interval.
type Estimate struct {
	Value, Low, High float64
	Draws            uint64
}

// Width is the half-width of the interval relative to the value.
func (e Estimate) Width() float64 {
	if e.Value == 0 {
		return 0
	}
	return (e.High - e.Low) / 2 / e.Value
}

// Run draws until the interval is within ± width of the value, or limit draws
// are made. All cores work; the same seed gives the same estimate. There is
// none, and ok is false, where no draw lost the lease or the value is beyond a
// float64: that nothing was seen does not bound it.
func (c Rare) Run(seed uint64, width float64, limit uint64, done func(float64)) (e Estimate, ok bool) {
	over := c.Hold.Exceeds(c.Worth)
	t := c.tilt()
	if t == nil {
		return Estimate{Value: over, Low: over, High: over}, true
	}
	factor := portable.Exp(t.scale)
	// Each round is as long as all before it.
	var sum moments
	for round := uint64(0); ; round++ {
		each := max(2000, sum.n) / Shards
		for _, m := range Each(Shards, seed+round, done, func(_ int, r *rand.PCG) moments { return t.run(each, r) }) {
			sum.add(m)
		}
		e := sum.estimate(factor, over)
		if e.Draws < limit && (e.Draws < 100_000 || sum.sum == 0 || e.Width() > width) {
			continue
		}
		return e, sum.sum > 0 && factor > 0 && !math.IsNaN(e.High-e.Low) && !math.IsInf(e.High, 1)
	}
}

// moments are those of the weights, each divided by the largest that a draw
// can have, so that the squares of the smallest probabilities do not vanish.
type moments struct {
	n           uint64
	sum, square float64
}

func (m *moments) add(o moments) {
	m.n += o.n
	m.sum += o.sum
	m.square += o.square
}

// estimate multiplies by that largest weight, and adds what is known.
func (m *moments) estimate(factor, known float64) Estimate {
	n := float64(m.n)
	mean := m.sum / n
	variance := max(0, m.square/n-float64(mean*mean))
	half := float64(z99 * math.Sqrt(variance/n))
	return Estimate{
		Value: known + float64(factor*mean),
		Low:   known + float64(factor*max(0, mean-half)),
		High:  min(1, known+float64(factor*(mean+half))),
		Draws: m.n,
	}
}

// z99 is the 99.5 % point of the normal law: two-sided 99 %.
const z99 = 2.5758293035489004

// tilted draws totals from the tilted laws.
type tilted struct {
	worth   float64 // seconds
	theta   float64
	scale   float64 // log of the weight of a total of exactly T
	hold    Source
	network Source
	length  Source
	gap     float64 // mean time between pauses, tilted, in seconds; 0 is none
	limit   time.Duration
}

// tilt finds the tilt at which T is the mean total; nil when holds of at most
// T cannot lose the lease.
func (c Rare) tilt() *tilted {
	hold := below(c.Hold, c.Worth)
	if len(hold) == 0 {
		return nil
	}
	// A pause or a call of more than T loses the lease, however long it is.
	length, network := c.capped(c.Length), c.capped(c.Network)
	if c.PauseRate == 0 || len(length) == 0 || last(length) == 0 {
		length = nil
	}
	if len(network) == 0 {
		network = []weighted{{0, 1}}
	}
	worth := c.Worth.Seconds()
	if length == nil && last(hold)+last(network) <= worth {
		return nil
	}
	// The mean total rises with theta.
	lo, hi := 0.0, 1/worth
	if c.mean(hold, length, network, 0) >= worth {
		hi = 0
	}
	for range 60 {
		if hi == 0 || c.mean(hold, length, network, hi) >= worth {
			break
		}
		lo, hi = hi, hi*2
	}
	for range 60 {
		mid := (lo + hi) / 2
		if c.mean(hold, length, network, mid) < worth {
			lo = mid
		} else {
			hi = mid
		}
	}
	theta := hi
	t := &tilted{worth: worth, theta: theta, limit: c.Worth}
	rate := 0.0
	if length != nil {
		up := portable.Exp(logGenerating(length, theta))
		rate = float64(c.PauseRate * (up - 1))
		t.gap = 1 / float64(c.PauseRate*up)
		t.length = source(length, theta)
	}
	t.hold = source(hold, theta+rate)
	t.network = source(network, theta)
	t.scale = logGenerating(hold, theta+rate) + logGenerating(network, theta) - float64(theta*worth)
	return t
}

// weighted is a value in seconds and its probability.
type weighted struct{ x, p float64 }

// below are the values up to a limit.
func below(s dist.Steps, limit time.Duration) []weighted {
	var w []weighted
	for i := range s.Len() {
		if v, p := s.Atom(i); v <= limit && p > 0 {
			w = append(w, weighted{v.Seconds(), p})
		}
	}
	return w
}

// capped has all that is longer than T just above it.
func (c Rare) capped(s dist.Steps) []weighted {
	w := below(s, c.Worth)
	if p := s.Exceeds(c.Worth); p > 0 {
		w = append(w, weighted{(c.Worth + 1).Seconds(), p})
	}
	return w
}

func last(w []weighted) float64 { return w[len(w)-1].x }

// The sums below are of e^(theta (x - longest)), which is at most 1: e^(theta x)
// itself is beyond a float64 where laws are narrow or far below T.

// logGenerating is ln E[e^(theta X)].
func logGenerating(w []weighted, theta float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += float64(v.p * portable.Exp(float64(theta*(v.x-last(w)))))
	}
	return portable.Log(sum) + float64(theta*last(w))
}

// tiltedMean is E[X e^(theta X)] / E[e^(theta X)].
func tiltedMean(w []weighted, theta float64) float64 {
	sum, moment := 0.0, 0.0
	for _, v := range w {
		p := float64(v.p * portable.Exp(float64(theta*(v.x-last(w)))))
		sum += p
		moment += float64(p * v.x)
	}
	return moment / sum
}

// mean is that of the total under a tilt; +Inf where that many pauses come
// that drawing them takes too long.
func (c Rare) mean(hold, length, network []weighted, theta float64) float64 {
	rate, each := 0.0, 0.0
	if length != nil {
		up := portable.Exp(logGenerating(length, theta))
		rate = float64(c.PauseRate * (up - 1))
		if rate > 600/max(last(hold), 1e-9) {
			return math.Inf(1)
		}
		each = float64(float64(c.PauseRate*up) * tiltedMean(length, theta))
	}
	h := tiltedMean(hold, theta+rate)
	return h + float64(h*each) + tiltedMean(network, theta)
}

// source draws from a tilted law.
func source(w []weighted, theta float64) Source {
	values := make([]time.Duration, len(w))
	p := make([]float64, len(w))
	total := 0.0
	for i, v := range w {
		values[i] = time.Duration(math.Round(float64(v.x * 1e9)))
		p[i] = float64(v.p * portable.Exp(float64(theta*(v.x-last(w)))))
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return From(dist.Law(values, p).Hi)
}

func (t *tilted) run(n uint64, r *rand.PCG) moments {
	var m moments
	m.n = n
	for range n {
		hold := t.hold.Draw(r)
		total := add(hold, t.network.Draw(r))
		if t.gap > 0 {
			gap := Exponential(t.gap * 1e9)
			for at := gap.Draw(r); at < hold; at = add(at, gap.Draw(r)) {
				total = add(total, t.length.Draw(r))
			}
		}
		if total <= t.limit {
			continue
		}
		w := portable.Exp(float64(t.theta * (t.worth - total.Seconds())))
		m.sum += w
		m.square += float64(w * w)
	}
	return m
}
