package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"pgregory.net/rapid"
)

// H1: a hold beyond the maximum is cut, whatever share of the lease it is. A
// holder and a waiter each hold for the shorter of the two.
func TestLongTailIsPlayedToItsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		interval := time.Duration(rapid.IntRange(1, 500).Draw(t, "interval")) * ms
		hold := time.Duration(rapid.IntRange(1, 200_000).Draw(t, "hold")) * ms
		limit := time.Duration(rapid.IntRange(1, 200_000).Draw(t, "limit")) * ms
		p := Plan{Lease: calc.Lease{TTL: 3 * interval, Interval: interval, Call: interval / 2, Spacing: interval},
			Env: calc.Env{Hold: hold}, FreeMin: 3 * interval, FreeMax: 3 * interval, Stop: -1, MaxHold: limit}
		for _, f := range []float64{1, 1.5} {
			const trials = 3
			r := Run(p, longTail, f, trials, 1, nil)
			cut, held := uint64(0), times(f, hold)
			if held > limit {
				cut, held = 2*trials, limit
			}
			if r.Cut != cut || r.Held != 2*trials*held || r.Lost != 0 || r.Interrupted != 0 || *r.Predicted != r.Failed() {
				t.Fatalf("x%g: cut %d, held %v, want %d, %v; lost %d, predicted %v", f, r.Cut, r.Held, cut, 2*trials*held, r.Lost, *r.Predicted)
			}
		}
	})
}

// The renewals that are passed over are those that are played otherwise.
func TestSteadyHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		interval := time.Duration(rapid.IntRange(1, 50).Draw(t, "interval")) * ms
		rtt := time.Duration(rapid.IntRange(0, 5).Draw(t, "rtt")) * interval / 10
		play := func(steady bool) (out Outcome) {
			w := World{Worth: 3 * interval, Lag: Always(0), Interval: interval, Call: interval / 2, Spacing: interval, Stop: 2 * interval,
				MaxHold: 9 * time.Second, Clients: 3, Think: Always(0), Once: true, Work: Uniform(18 * time.Second), Detect: Always(0),
				Gap: Always(never), Pause: Always(0), Net: Way{Out: rtt / 2, Back: rtt - rtt/2}, ToTheEnd: true, Steady: steady}
			new(Runner).Play(&w, time.Second, rand.NewPCG(uint64(interval), uint64(rtt)), &out)
			return out
		}
		whole, steady := play(false), play(true)
		if whole.Renewals != steady.Renewals || whole.Held != steady.Held || whole.Cut != steady.Cut || whole.Lost+steady.Lost+whole.Interrupted+steady.Interrupted > 0 ||
			whole.Wait.Worst() != steady.Wait.Worst() {
			t.Fatalf("played %+v\npassed over %+v", whole, steady)
		}
	})
}

// Whoever asks is served or gives up before the play is over. A4: the last of N
// callers who come at once waits for the N - 1 others, and of those who wait
// for A no more are served than fit into it.
func TestEveryCallerIsCounted(t *testing.T) {
	const callers = 1000
	p := Plan{Lease: calc.Lease{TTL: 3 * sec}, Env: calc.Env{Hold: 100 * ms}, FreeMin: 3 * sec, FreeMax: 3 * sec, Stop: 100 * ms, Callers: callers}
	r := Run(p, normal, 1, 4, 1, nil)
	if last := (callers - 2) * p.Env.Hold; r.GaveUp != 0 || r.Acquired != r.Wanted || r.Wait.Worst() < last { // they come within one hold
		t.Errorf("%d wanted, %d served, %d gave up, the last after %v, want %v", r.Wanted, r.Acquired, r.GaveUp, r.Wait.Worst(), last)
	}
	p.Wait = 2 * sec
	r = Run(p, normal, 1, 4, 1, nil)
	span := p.room() + 10*p.Env.Hold + p.Wait
	if most := r.Trials * uint64(span/p.Env.Hold+1); r.Acquired+r.GaveUp != r.Wanted || r.Acquired > most || r.Wanted < 4*callers {
		t.Errorf("%d wanted, %d served of at most %d, %d gave up", r.Wanted, r.Acquired, most, r.GaveUp)
	}
	// Those who gave up waited for A, and they are more than one in a hundred.
	if got := r.Wait.Quantile(0.99); got != p.Wait {
		t.Errorf("P99 %v, want %v", got, p.Wait)
	}
}

// How many trials a failure needs is what playing that many shows.
func TestTrialsNeeded(t *testing.T) {
	p := Plan{Lease: calc.Lease{TTL: 10 * sec, Interval: 3 * sec, Call: 300 * ms, Spacing: 3 * sec},
		Env: calc.Env{Hold: 40 * sec, Pause: 3 * sec, Margin: 300 * ms}, FreeMin: 10 * sec, FreeMax: 1000 * sec, Stop: -1, Failures: 1}
	rare := 0
	for seed := range uint64(40) {
		r := Run(p, gcPause, 1.5, 2, seed, nil)
		if r.Failed() {
			continue
		}
		rare++
		if r.Needed <= 2 {
			t.Fatalf("seed %d: %d trials needed", seed, r.Needed)
		}
		fewer, enough := Run(p, gcPause, 1.5, r.Needed-1, seed, nil), Run(p, gcPause, 1.5, r.Needed, seed, nil)
		if fewer.Failed() || !enough.Failed() || fewer.Needed != r.Needed || enough.Needed != 0 {
			t.Errorf("seed %d: %d needed, %d lost in one less, %d in as many", seed, r.Needed, fewer.Lost, enough.Lost)
		}
	}
	if rare == 0 {
		t.Error("two trials always show it")
	}
}
