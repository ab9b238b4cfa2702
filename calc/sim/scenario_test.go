package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"pgregory.net/rapid"
)

// library renews as its fields say and tells a cut-off holder after a share of
// the lease, in tenths; 0 is never.
type library struct {
	calc.Generic
	afterCall, silent bool
	tells             int
}

func (l library) Traits() calc.Traits {
	t := l.Generic.Traits()
	t.AfterCall, t.Silent = l.afterCall, l.silent
	return t
}

func (l library) Loss(ttl time.Duration) (time.Duration, bool) {
	return ttl / 10 * time.Duration(l.tells), l.tells > 0
}

// planOf asks the planner itself for a plan with random inputs.
func planOf(t *rapid.T) (Plan, bool) {
	dur := func(name string, low, high int) calc.Bound {
		return calc.Claim(time.Duration(rapid.IntRange(low, high).Draw(t, name))*ms, name)
	}
	in := calc.Inputs{
		Hold: dur("hold", 1, 20_000), Pause: dur("pause", 0, 3000), RTT: dur("rtt", 1, 200),
		Sched: dur("sched", 0, 200), Failures: rapid.IntRange(0, 2).Draw(t, "k"), FailuresGiven: true,
		Ratio: calc.Ratio(rapid.IntRange(4, 6).Draw(t, "n")) * calc.One, RatioGiven: true,
		Drift: calc.Ratio(rapid.IntRange(0, 2_000_000).Draw(t, "drift")), DriftGiven: true,
		Mode: rapid.SampledFrom([]calc.Mode{calc.Fixed, calc.Renewed}).Draw(t, "mode"),
	}
	if rapid.IntRange(0, 3).Draw(t, "calls take no time") == 0 {
		in.RTT, in.Sched = calc.Claim(0, "rtt"), calc.Claim(0, "sched")
		in.Margin = calc.Claim(0, "margin")
	}
	lib := library{afterCall: rapid.Bool().Draw(t, "after call"), silent: rapid.Bool().Draw(t, "silent"), tells: rapid.SampledFrom([]int{0, 5, 7, 9, 10, 11, 13, 20}).Draw(t, "tells")}
	in.Library = lib
	if rapid.Bool().Draw(t, "retries") {
		in.Backoff = dur("backoff", 0, 300)
	}
	in, err := in.Resolve()
	if err != nil {
		return Plan{}, false
	}
	s := calc.Solve(in)
	if !s.Solved {
		return Plan{}, false
	}
	worst, _, _ := s.Lease.Takeover(in.Library, in.Env())
	loss, _ := lib.Loss(s.Lease.TTL)
	return Plan{
		Lease: s.Lease, Env: in.Env(), FreeMin: s.Lease.TTL, FreeMax: s.Lease.TTL, Stop: calc.StopWork(in, s.Lease), Loss: loss, Silent: lib.silent,
		MaxHold: calc.MaxHold(in, s).Value, Failures: in.Failures, RTO: worst, Callers: 4,
	}, true
}

// Whatever the planner recommends keeps all its promises at its stated
// bounds, in every scenario; beyond them what the formulas predict is what
// happens.
func TestPromisesOfPlans(t *testing.T) {
	plans := 0
	rapid.Check(t, func(t *rapid.T) {
		p, ok := planOf(t)
		if !ok || plans == 60 {
			return
		}
		plans++
		for _, s := range Scenarios {
			if s.Renewed && p.Lease.Interval == 0 {
				continue
			}
			if r := Run(p, s, 1, 192, 1, nil); s.Promised && !r.Kept() {
				t.Fatalf("%s: %+v\n%+v\n%s", s.Name, r.Promises, p, story(p, r))
			} else if s.Promised && r.Failed() {
				t.Fatalf("%s: lost %d, cut %d, overlaps %d at the bounds\n%+v\n%s", s.Name, r.Lost, r.Cut, r.Overlaps, p, story(p, r))
			}
			if r := Run(p, s, 1.5, 320, 1, nil); r.Predicted != nil && *r.Predicted != r.Failed() {
				t.Fatalf("%s at 1.5: predicted %v, lost %d, cut %d, overlaps %d of %d\n%+v\n%s", s.Name, *r.Predicted, r.Lost, r.Cut, r.Overlaps, r.Acquired, p, story(p, r))
			}
		}
	})
	t.Logf("%d plans", plans)
}

// L1: a holder that is cut off and keeps no stop-work point is stopped when
// its library tells it. Told after the lease is free it overlaps by as much as
// the difference, a pause on top; told before it does not. A library that
// never tells lets it work to its end.
func TestOverlapOfLateSignals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, ok := planOf(t)
		if !ok || p.Lease.Interval == 0 {
			return
		}
		for _, f := range []float64{1, 1.5} {
			want := p.work() - p.worth()
			if p.Loss > 0 {
				if want = p.Loss + times(f, p.Env.Pause) - p.worth(); p.Env.Pause > 0 {
					want -= before // the pause begins before the library tells
				}
			}
			if r := Run(p, unwatched, f, 128, 1, nil); r.WorstOverlap != max(0, want) || r.Failed() != (want > 0) || *r.Predicted != r.Failed() {
				t.Fatalf("at %g, told after %v of %v with a pause of %v: %d overlaps of %v, want %v; predicted %v\n%s",
					f, p.Loss, p.worth(), p.Env.Pause, r.Overlaps, r.WorstOverlap, want, *r.Predicted, story(p, r))
			}
		}
	})
}

// E12 of the cases: told after twice the TTL, two hold it for one TTL. Measured:
// rueidislock with KeyValidity 2 s and ExtendInterval 1 s
// ends its context 3 s after the last renewal (docs/libraries): 1 s in which
// two own the lock. ZooKeeper tells at two thirds of a session: none.
func TestMeasuredSignals(t *testing.T) {
	p := Plan{Lease: calc.Lease{TTL: 2 * sec, Interval: sec, Call: 300 * ms, Spacing: sec}, Env: calc.Env{Hold: 10 * sec, Margin: 300 * ms},
		FreeMin: 2 * sec, FreeMax: 2 * sec, Stop: -1}
	for _, c := range []struct{ loss, overlap time.Duration }{{3 * sec, sec}, {4 * sec, 2 * sec}, {1333 * ms, 0}, {2 * sec, 0}} {
		p.Loss = c.loss
		if r := Run(p, unwatched, 1, 64, 1, nil); r.WorstOverlap != c.overlap || p.LossOverlap(1) != c.overlap {
			t.Errorf("told after %v: overlap %v, predicted %v, want %v", c.loss, r.WorstOverlap, p.LossOverlap(1), c.overlap)
		}
		// With a stop-work point the earlier of the two counts.
		q := p
		q.Stop = 1700 * ms
		if r := Run(q, cutOff, 1, 64, 1, nil); r.Overlaps != 0 || !r.Kept() {
			t.Errorf("told after %v, watching: %d overlaps", c.loss, r.Overlaps)
		}
	}
}

// A service may keep a lease for longer than T, and at times for longer still
// (Consul's lock delay, ZooKeeper's ticks): the prediction of a failover
// beyond the bound counts with the earliest end.
func TestFailoverOfALateService(t *testing.T) {
	late := func(least, most time.Duration) bool {
		p := Plan{Lease: calc.Lease{TTL: 10 * sec, Interval: 5 * sec, Call: 300 * ms, Spacing: 1300 * ms},
			Env: calc.Env{Hold: 40 * sec, Pause: 1500 * ms, Margin: 300 * ms}, FreeMin: least, FreeMax: most, Stop: -1}
		r := Run(p, failover, 1.5, 64, 1, nil)
		if *r.Predicted != r.Failed() {
			t.Errorf("free from %v to %v: predicted %v, lost %d", least, most, *r.Predicted, r.Lost)
		}
		return r.Failed()
	}
	// C2: floor((10 - 5 - 0.3) / 1.3) 1.3 = 3.9, times 1.5 is 5.85.
	if !late(10*sec, 10*sec) || !late(10*sec, 1000*sec) || late(25*sec, 26*sec) {
		t.Error("only a lease that is kept for longer survives")
	}
}

// A pause beyond the bound is seen to lose the lease of such a service too, in
// few trials.
func TestPauseOfALateService(t *testing.T) {
	p := Plan{Lease: calc.Lease{TTL: 10 * sec, Interval: 3 * sec, Call: 300 * ms, Spacing: 3 * sec},
		Env: calc.Env{Hold: 40 * sec, Pause: 3 * sec, Margin: 300 * ms}, FreeMin: 10 * sec, FreeMax: 1000 * sec, Stop: -1, Failures: 1}
	// 3 + 3 + 4.5 + 0.3 is beyond 10.
	if r := Run(p, gcPause, 1.5, 320, 1, nil); !*r.Predicted || r.Lost < 5 {
		t.Errorf("predicted %v, %d of %d leases lost", *r.Predicted, r.Lost, r.Acquired)
	}
}

func story(p Plan, r Result) string {
	text := ""
	Trace(p, r, 1, func(at time.Duration, client int, what string, value time.Duration) {
		text += fmt.Sprintln(at, client, what, value)
	})
	return text
}

// The bytes of a run do not depend on the number of cores.
func TestRunIsRepeatable(t *testing.T) {
	p := Plan{Lease: calc.Lease{TTL: 3 * sec}, Env: calc.Env{Hold: 800 * ms, Pause: 1500 * ms, Margin: 700 * ms, Detect: 700 * ms},
		FreeMin: 3 * sec, FreeMax: 3 * sec, Stop: 800 * ms}
	a, b := Run(p, gcPause, 1.5, 500, 7, nil), Run(p, gcPause, 1.5, 500, 7, nil)
	if a.Events != b.Events || a.OverlapTime != b.OverlapTime || a.worst != b.worst {
		t.Errorf("%v %v, %v %v", a.Events, b.Events, a.OverlapTime, b.OverlapTime)
	}
	if c := Run(p, gcPause, 1.5, 500, 8, nil); c.Events == a.Events && c.OverlapTime == a.OverlapTime {
		t.Error("another seed gives the same")
	}
	if text := story(p, a); text == "" {
		t.Error("no story")
	}
}
