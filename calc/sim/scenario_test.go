package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"pgregory.net/rapid"
)

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
	return Plan{
		Lease: s.Lease, Env: in.Env(), FreeMin: s.Lease.TTL, FreeMax: s.Lease.TTL, Stop: calc.StopWork(in, s.Lease),
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
