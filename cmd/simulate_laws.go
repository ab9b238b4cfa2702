package cmd

import (
	"math"
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
	// Where holds meet many pauses, fewer of them take as long.
	exposed := c.Worth
	if l.Renews() {
		exposed = *p.MaxHold
	}
	pauses := r.PauseRate * min(r.Hold.Mean(), exposed.Seconds())
	each := max(1, uint64(cycles/sim.Shards/max(1, pauses/16)))
	var sum sim.Cycles
	for _, part := range sim.Each(sim.Shards, seed, done, func(_ int, r *rand.PCG) sim.Cycles { return c.Run(each, r) }) {
		sum = sum.Add(part)
	}
	f.counted = sim.ShareOf(sum.Lost, sum.Acquisitions)
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
	utilisation float64 // arrivals times the mean hold
	taken       float64 // the same with the waiter's delay after each hold
	meanWait    float64 // seconds, Pollaczek-Khinchine with the handovers; +Inf without a long run
	queue
}

// queueCallers are how many callers each queue is played with at least, and
// mostCallers at most.
const (
	queueCallers = 1 << 20
	mostCallers  = 1 << 26
)

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
		rate := in.AcquireRate / float64(keys)
		long := longRunOf(rate, law, in.Detect.Value)
		row := contention{keys: keys, utilisation: float64(rate * law.Mean()), taken: 1 - long.spare, meanWait: long.meanWait}
		row.queue = playQueue(in, law, keys, wait, seed, done)
		out = append(out, row)
		if row.utilisation < 0.01 {
			break
		}
	}
	return out
}

// queue is what callers of one key met. Who gave up counts for as long as the
// caller waited.
type queue struct {
	played   bool
	success  float64
	p50, p99 time.Duration
	wait     time.Duration // A; 0 waits for ever
	waiting  float64       // callers at once, all keys: each holds a thread
}

func playQueue(in calc.Inputs, law dist.Steps, keys int, wait time.Duration, seed uint64, done func(float64)) queue {
	rate := in.AcquireRate / float64(keys)
	memory := longRunOf(rate, law, in.Detect.Value).memoryOf(wait)
	if memory > mostCallers/sim.Shards/10 {
		return queue{wait: wait}
	}
	warmUp := uint64(5*memory) + 1
	// The longer it remembers, the more callers a figure takes.
	callers := max(queueCallers/sim.Shards, min(4*warmUp, 1<<17), warmUp)
	q := sim.Queue{Gap: sim.Every(rate), Hold: sim.From(law), Hand: sim.Always(in.Detect.Value), Wait: wait, WarmUp: warmUp}
	var all sim.Waits
	for _, part := range sim.Each(sim.Shards, seed, done, func(_ int, r *rand.PCG) *sim.Waits {
		w := &sim.Waits{}
		q.Run(callers, r, w)
		return w
	}) {
		all.Merge(part)
	}
	return queue{true, all.Success(), all.Spent.Quantile(0.5), all.Spent.Quantile(0.99), wait, in.AcquireRate * all.Spent.Mean()}
}

// longRun is the queue of one key in the long run.
type longRun struct {
	meanWait float64 // seconds until the lock is had, when nobody gives up; +Inf without a long run
	rate     float64 // callers a second
	spare    float64 // 1 less the utilisation, handovers included; negative is beyond saturation
	square   float64 // second moment of the time that one caller takes, in s²
}

// longRunOf is Welch's queue (1964): who finds the lock free holds it for h,
// who waited for the handover and h. Without handovers it is
// Pollaczek-Khinchine.
func longRunOf(rate float64, hold dist.Steps, handover time.Duration) longRun {
	d := handover.Seconds()
	mean, square := hold.Mean(), hold.Square()
	busy := square + float64(2*mean*d) + float64(d*d)
	spare := 1 - float64(rate*(mean+d))
	out := longRun{math.Inf(1), rate, spare, busy}
	if spare > 0 {
		least := 1 - float64(rate*d)
		waits := 1 - spare/least // the share of callers who find the lock held
		queued := float64(rate*busy)/float64(2*spare) - float64(rate*(busy-square))/float64(2*least)
		out.meanWait = queued + float64(waits*d)
	}
	return out
}

// memoryOf is after how many callers a queue whose callers give up after wait
// (0 is never) has forgotten that it began empty: the relaxation time of
// Brownian motion with the queue's drift and variance, between its walls, and
// beyond saturation the way up as well.
func (l longRun) memoryOf(wait time.Duration) float64 {
	memory := 2 * float64(l.rate*l.rate) * l.square / float64(l.spare*l.spare)
	if wait == 0 {
		if l.spare <= 0 {
			return math.Inf(1)
		}
		return memory
	}
	a := wait.Seconds()
	if l.spare < 0 {
		memory += float64(l.rate*a) / -l.spare
	}
	return min(memory, 2*float64(a*a)/(math.Pi*math.Pi*l.square))
}

// failFast is one key with one acquire wait.
type failFast struct {
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
		out = append(out, failFast{playQueue(in, law, 1, wait, seed, done), in.AcquireRate * wait.Seconds()})
	}
	return out
}
