package cmd

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/risk"
	"github.com/lockplan/lockplan/calc/sim"
)

// falseExpiry is the share of acquisitions that lose their lease to what was
// observed, counted in a simulation and by the formula.
type falseExpiry struct {
	counted  sim.Share
	rare     *sim.Estimate // by importance sampling, where counting finds too few
	formula  risk.Risk
	renewals float64 // a second, one holder
	capped   uint64
}

// cycles are how many acquisitions are counted; fewFound is below how many
// losses importance sampling takes over.
const (
	cycles   = 1 << 22
	fewFound = 1000
)

// bestLaw is what a band is drawn from: the upper law, or the interpolation
// of claimed percentiles.
func bestLaw(b dist.Band) dist.Steps {
	if b.Mid.Len() > 0 {
		return b.Mid
	}
	return b.Hi
}

// falseExpiryOf plays uncontended acquisitions from the observed laws; nil
// where the formula has no figure either.
func falseExpiryOf(p plan.Plan, e risk.Evidence, seed uint64, done func(float64)) *falseExpiry {
	in, l := p.In, p.Solution.Lease
	f := &falseExpiry{formula: risk.New(in, e, l.TTL, l.TTL).Lease(l, *p.MaxHold)}
	hold, known := e.HoldBand()
	if !f.formula.Known || !known {
		return nil
	}
	network := e.NetworkBand(in)
	rate, rateKnown := e.Rate()
	c := sim.Cycle{
		Gap: sim.Every(rate), Pause: sim.Always(0), Worth: l.Worth(in.Drift),
		Interval: l.Due(in.Env()), Spacing: l.Spacing, Margin: in.Margin.Value,
	}
	r := sim.Rare{Hold: bestLaw(hold), Worth: c.Worth, PauseRate: rate}
	switch {
	case in.PauseIncluded:
		c.Gap, r.PauseRate = sim.Always(dist.Inf), 0
	case rateKnown:
		r.Length = bestLaw(dist.BandOf(e.Pauses))
		c.Pause = sim.From(r.Length)
	default:
		c.Gap = sim.Always(dist.Inf)
		network = network.Shift(in.Pause.Value)
	}
	r.Network = bestLaw(network)
	c.Network = sim.From(r.Network)
	if l.Renews() {
		c.Cap = *p.MaxHold
	}
	c.Hold = sim.From(r.Hold)
	var sum sim.Cycles
	for _, part := range sim.Each(sim.Shards, seed, done, func(_ int, r *rand.PCG) sim.Cycles { return c.Run(cycles/sim.Shards, r) }) {
		sum = sum.Add(part)
	}
	f.counted = sim.ShareOf(sum.Lost, sum.Acquisitions)
	f.capped = sum.Capped
	if held := sum.Held.Seconds(); held > 0 {
		f.renewals = float64(sum.Renewals) / held
	}
	if sum.Lost < fewFound && !l.Renews() {
		const width, most = 0.1, 1 << 24
		if estimate, ok := r.Run(seed, width, most, done); ok {
			f.rare = &estimate
		}
	}
	return f
}

// contention is the queue of one key when the callers are spread over some
// number of keys.
type contention struct {
	keys        int
	utilisation float64
	meanWait    float64 // seconds, Pollaczek-Khinchine; +Inf without a long run
	queue
}

// queueCallers are how many callers each queue is played with.
const queueCallers = 1 << 20

// contentionOf plays the queue for a range of key counts; none where the
// arrival rate or the hold is not known.
func contentionOf(p plan.Plan, e risk.Evidence, seed uint64, done func(float64)) []contention {
	in := p.In
	hold, known := e.HoldBand()
	if in.AcquireRate == 0 || !known {
		return nil
	}
	hold = hold.Cap(*p.MaxHold)
	law := bestLaw(hold)
	wait := time.Duration(0)
	if p.AcquireWait != nil {
		wait = *p.AcquireWait
	}
	var out []contention
	for _, keys := range []int{1, 2, 5, 10, 100} {
		k := dist.Contend(in.AcquireRate, keys, hold)
		row := contention{keys: keys, utilisation: k.UtilisationUpper, meanWait: k.WaitUpper}
		if k.UtilisationUpper < 1 || wait > 0 {
			row.queue = playQueue(in, law, keys, wait, seed, done)
		}
		out = append(out, row)
		if k.UtilisationUpper < 0.01 {
			break
		}
	}
	return out
}

// queue is what callers of one key met.
type queue struct {
	played   bool
	success  float64
	p50, p99 time.Duration
	waiting  float64 // callers at once, all keys: each holds a thread
}

func playQueue(in calc.Inputs, law dist.Steps, keys int, wait time.Duration, seed uint64, done func(float64)) queue {
	q := sim.Queue{Gap: sim.Every(in.AcquireRate / float64(keys)), Hold: sim.From(law), Hand: sim.Uniform(handover(in)), Wait: wait}
	var all sim.Waits
	for _, part := range sim.Each(sim.Shards, seed, done, func(_ int, r *rand.PCG) *sim.Waits {
		w := &sim.Waits{}
		q.Run(queueCallers/sim.Shards, r, w)
		return w
	}) {
		all.Merge(part)
	}
	return queue{true, all.Success(), all.Wait.Quantile(0.5), all.Wait.Quantile(0.99), in.AcquireRate * all.Spent.Mean()}
}

// failFast is one key with one acquire wait.
type failFast struct {
	wait time.Duration
	queue
	stuck float64 // callers that wait when nobody gets the lock: arrivals × wait
}

// failFasts play the plan's own wait beside the 1 s and 3 s that fail fast
// and the 10 s that fill a pool.
func failFasts(p plan.Plan, e risk.Evidence, seed uint64, done func(float64)) []failFast {
	in := p.In
	hold, known := e.HoldBand()
	if in.AcquireRate == 0 || !known {
		return nil
	}
	law := bestLaw(hold.Cap(*p.MaxHold))
	waits := []time.Duration{time.Second, 3 * time.Second, 10 * time.Second}
	if p.AcquireWait != nil && !slices.Contains(waits, *p.AcquireWait) {
		waits = append(waits, *p.AcquireWait)
		slices.Sort(waits)
	}
	var out []failFast
	for _, wait := range waits {
		out = append(out, failFast{wait, playQueue(in, law, 1, wait, seed, done), in.AcquireRate * wait.Seconds()})
	}
	return out
}

// handover is how late a waiter may notice a release: a stated poll interval
// or push latency. The margin, which stands in for an unknown one, is a bound
// and no everyday delay.
func handover(in calc.Inputs) time.Duration {
	if in.Detect.Kind == calc.Computed {
		return 0
	}
	return in.Detect.Value
}
