package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// holds is a histogram's law: 14 buckets doubling from 1 ms.
func holds() dist.Band {
	var b dist.Builder
	lo := time.Duration(0)
	for i := range 14 {
		b.AddRange(lo, ms<<i, uint64(1e6)>>i)
		lo = ms << i
	}
	return dist.BandOf(b.Dist())
}

// uncontended is the cycle that testdata/bench-python plays in NumPy: renewed
// every 10 s, exponential holds of 15 s, two pauses an hour.
func uncontended() *Cycle {
	return &Cycle{
		Hold: Exponential(15 * sec), Network: Always(0),
		Gap: Every(2.0 / 3600), Pause: Exponential(5 * sec),
		Worth: 30 * sec, Interval: 10 * sec, Spacing: 10 * sec, Margin: 700 * ms,
	}
}

// rate reports n things by the wall clock, and by the processor time spent,
// which other programs on a busy machine do not stretch: of one core, or per
// core of a run on all.
func rate(b *testing.B, n uint64, begin time.Duration, unit string) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "M"+unit+"/s")
	b.ReportMetric(float64(n)/(processorTime()-begin).Seconds()/1e6, "M"+unit+"/core-s")
}

func BenchmarkUncontendedCycles(b *testing.B) {
	c := uncontended()
	r := rand.NewPCG(1, 1)
	const batch = 100_000
	var sum Cycles
	b.ReportAllocs()
	begin := processorTime()
	for b.Loop() {
		sum = sum.Add(c.Run(batch, r))
	}
	rate(b, sum.Acquisitions, begin, "cycles")
}

func BenchmarkUncontendedCyclesBothCores(b *testing.B) {
	c := uncontended()
	n := uint64(0)
	begin := processorTime()
	for b.Loop() {
		for _, r := range Each(Shards, 1, nil, func(_ int, r *rand.PCG) Cycles { return c.Run(100_000, r) }) {
			n += r.Acquisitions
		}
	}
	rate(b, n, begin, "cycles")
}

func BenchmarkFixedCycles(b *testing.B) {
	c := &Cycle{
		Hold: From(holds().Hi), Network: Exponential(5 * ms), Gap: Every(0.01), Pause: Exponential(50 * ms), Worth: 3 * sec,
	}
	r := rand.NewPCG(1, 1)
	const batch = 100_000
	n := uint64(0)
	begin := processorTime()
	for b.Loop() {
		c.Run(batch, r)
		n += batch
	}
	rate(b, n, begin, "cycles")
}

// contended is the world that testdata/bench-python plays in SimPy: 50 clients
// that think for 500 ms, hold for 20 ms, wait up to 1 s and renew every 10 ms.
func contended() *World {
	return &World{
		Worth: 100 * ms, Lag: Always(0), Interval: 10 * ms, Call: 5 * ms, Spacing: 10 * ms, Stop: 80 * ms,
		MaxHold: 2 * sec, Clients: 50, Think: Exponential(500 * ms), Work: Exponential(20 * ms),
		Detect: Uniform(2 * ms), Wait: sec, Gap: Exponential(10 * sec), Pause: Exponential(20 * ms),
		Net: Measured{RTT: Exponential(ms), Sched: Always(0)},
	}
}

func BenchmarkContendedEvents(b *testing.B) {
	w := contended()
	out := &Outcome{}
	var runner Runner
	r := rand.NewPCG(1, 1)
	b.ReportAllocs()
	begin := processorTime()
	for b.Loop() {
		runner.Play(w, time.Minute, r, out)
	}
	rate(b, out.Events, begin, "events")
}

func BenchmarkContendedEventsBothCores(b *testing.B) {
	w := contended()
	events := uint64(0)
	begin := processorTime()
	for b.Loop() {
		for _, out := range Each(Shards, 1, nil, func(_ int, r *rand.PCG) *Outcome {
			out := &Outcome{}
			new(Runner).Play(w, time.Minute, r, out)
			return out
		}) {
			events += out.Events
		}
	}
	rate(b, events, begin, "events")
}

func BenchmarkQueue(b *testing.B) {
	q := &Queue{Gap: Exponential(25 * ms), Hold: Exponential(20 * ms), Hand: Uniform(ms), Wait: sec}
	r := rand.NewPCG(1, 1)
	out := &Waits{}
	const batch = 100_000
	begin := processorTime()
	for b.Loop() {
		q.Run(batch, r, out)
	}
	rate(b, out.Callers, begin, "callers")
}
