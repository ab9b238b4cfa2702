package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"pgregory.net/rapid"
)

const (
	ms  = time.Millisecond
	sec = time.Second
	nan = dist.Inf

	endless = 1000 * time.Hour // work that a test never sees the end of
)

// trial is one holder and one waiter that takes over the instant it can.
func trial(l calc.Lease, env calc.Env, hold time.Duration) *World {
	w := &World{
		Worth: l.Worth(env.Drift), Lag: Always(0), Interval: l.Interval, Call: l.Call, Spacing: l.Spacing,
		Stop: -1, Clients: 2, Think: Always(0), Work: Always(hold), Detect: Always(0),
		Gap: Always(nan), Pause: Always(0), Net: Way{Out: env.Margin},
	}
	w.AtOnce, w.AfterCall, w.Late = true, l.AfterCall, l.Due(env)-l.Interval
	return w
}

func play(w *World, until time.Duration) *Outcome {
	out := &Outcome{}
	new(Runner).Play(w, until, rand.NewPCG(1, 2), out)
	return out
}

// drawPlan is a feasible renewed lease and its surroundings.
func drawRenewed(t *rapid.T) (calc.Lease, calc.Env) {
	env := calc.Env{
		Hold:   time.Duration(rapid.IntRange(1, 5000).Draw(t, "hold")) * ms,
		Pause:  time.Duration(rapid.IntRange(0, 3000).Draw(t, "pause")) * ms,
		Margin: time.Duration(rapid.IntRange(0, 1000).Draw(t, "margin")) * ms,
	}
	if rapid.IntRange(0, 3).Draw(t, "calls take no time") == 0 {
		env.Margin = 0
	}
	env.Drift = calc.Ratio(rapid.IntRange(0, 10_000_000).Draw(t, "drift"))
	call := env.Margin
	interval := 2*call + time.Duration(rapid.IntRange(1, 8000).Draw(t, "interval"))*ms
	spacing := interval
	if rapid.Bool().Draw(t, "retries at once") {
		spacing = call + time.Duration(rapid.SampledFrom([]int{0, 0, 1, 250, 500}).Draw(t, "backoff"))*ms
	}
	after := rapid.Bool().Draw(t, "timer after a call")
	if after {
		spacing = call + interval
	}
	k := rapid.IntRange(1, 3).Draw(t, "k")
	l := calc.Lease{Interval: interval, Call: call, Spacing: spacing, AfterCall: after}
	need := l.Due(env) + time.Duration(k)*spacing + call + env.Pause + env.Margin
	l.TTL = time.Duration(float64(need)/(1-float64(env.Drift)/1e9)) + time.Duration(rapid.IntRange(1, 3000).Draw(t, "slack"))*ms
	if rapid.Bool().Draw(t, "exactly enough") {
		env.Drift, l.TTL = 0, need
	}
	return l, env
}

// C2 is exact: an outage that long, begun just before a renewal is due, is
// survived, and 3 ns more lose the lease.
func TestOutageSurvivedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, env := drawRenewed(t)
		w := trial(l, env, endless)
		w.Clients = 1
		w.Fault.OutageAt = l.Due(env) - 1
		survived := l.OutageSurvived(env)
		w.Fault.OutageFor = survived
		until := l.TTL*2 + survived
		if l.AfterCall { // whatever the calls meet
			w.Fault.Refuses = rapid.Bool().Draw(t, "refuses")
			w.Fault.Hang, w.Fault.Refused = rapid.IntRange(0, 3).Draw(t, "hang"), rapid.IntRange(0, 3).Draw(t, "refused")
			w.Fault.OneFailsAfter = time.Duration(rapid.Int64Range(0, int64(l.Call)).Draw(t, "one"))
		}
		if out := play(w, until); out.Lost != 0 {
			t.Fatalf("an outage of %v is not survived", survived)
		}
		w.Fault.Hang, w.Fault.OneFailsAfter, w.Fault.Refused, w.Fault.Refuses = l.WorstRefusals(env)
		w.Fault.OutageFor = survived + 3
		if out := play(w, until); out.Lost == 0 {
			t.Fatalf("an outage of %v is survived", w.Fault.OutageFor)
		}
	})
}

// Retries without a wait come to an end, whatever keeps them from the service
// or its answers from them: an outage, lost calls, replies later than their
// timeout, and a holder that is cut off for good.
func TestRetriesWithoutAWait(t *testing.T) {
	l := calc.Lease{TTL: 30 * sec, Interval: 3 * sec}
	for name, c := range map[string]struct {
		net   Network
		fault Fault
		lost  uint64
	}{
		"an outage as long as C2 allows": {Way{}, Fault{OutageAt: 3*sec - 1, OutageFor: 27 * sec}, 0},
		"a longer one":                   {Way{}, Fault{OutageAt: 3*sec - 1, OutageFor: 27*sec + 2}, 1},
		"lost renewals":                  {Way{}, Fault{DropRenewals: 1000}, 0},
		"cut off":                        {Way{}, Fault{CutOff: true}, 1},
		"late replies":                   {Way{Out: 30 * ms, Back: 30 * ms}, Fault{}, 0},
		"every other reply lost":         {Measured{RTT: Always(0), Sched: Always(0), Lost: 0.5}, Fault{}, 0},
	} {
		w := trial(l, calc.Env{}, endless)
		w.Clients, w.Net, w.Fault = 1, c.net, c.fault
		out := play(w, time.Minute)
		if out.Lost != c.lost || out.Events > 10_000 {
			t.Errorf("%s: %d leases lost, want %d; %d events", name, out.Lost, c.lost, out.Events)
		}
	}
}

// C3 is exact: the pause begins just before a renewal is due, or at the end of
// a fixed lease's work.
func TestPauseSurvivedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, env := drawRenewed(t)
		w := trial(l, env, endless)
		at := l.Due(env) - 1
		if rapid.Bool().Draw(t, "fixed") {
			l.Interval, l.AfterCall = 0, false
			l.TTL = max(l.TTL, 2*env.Hold+2*env.Margin)
			w = trial(l, env, env.Hold)
			w.Interval = 0
			at = env.Hold - 1
		}
		survived := l.PauseSurvived(env)
		w.Fault.PauseAt, w.Fault.PauseFor = at, survived
		until := l.TTL*2 + survived
		w.Clients = 1
		if out := play(w, until); out.Lost != 0 || out.Overlaps != 0 {
			t.Fatalf("a pause of %v is not survived: %d lost, %d overlaps", survived, out.Lost, out.Overlaps)
		}
		w.Fault.PauseFor = survived + 2
		if out := play(w, until); out.Lost == 0 {
			t.Fatalf("a pause of %v is survived", w.Fault.PauseFor)
		}
		// With somebody waiting, a renewed holder that does not watch its
		// stop-work point writes over the other's lock.
		w.Clients = 2
		if out := play(w, until); out.Overlaps == 0 || out.OverlapTime == 0 {
			t.Fatalf("no overlap after a pause of %v", w.Fault.PauseFor)
		}
	})
}

// R1 is exact: k failures in a row and the slowest call do not interrupt the
// work of a holder that watches its stop-work point; one more does.
func TestFailuresToleratedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, env := drawRenewed(t)
		if l.Spacing == 0 {
			return // as many as one likes fail at once
		}
		k := l.FailuresTolerated(env)
		w := trial(l, env, endless)
		w.Clients = 1
		w.Stop = l.StopWork(env)
		w.Net = Way{Out: l.Call} // the slowest call that is still waited for
		w.Fault.DropRenewals = k
		until := l.Due(env) + time.Duration(k+1)*l.Spacing + l.Call
		if out := play(w, until); out.Interrupted != 0 || out.Lost != 0 {
			t.Fatalf("%d failures interrupt %d times, lose %d", k, out.Interrupted, out.Lost)
		}
		w.Fault.DropRenewals = k + 1
		if out := play(w, until+l.Spacing); out.Interrupted == 0 {
			t.Fatalf("%d failures do not interrupt", k+1)
		}
	})
}

// Everything at its bound at once, with a waiter that never sleeps: no
// feasible plan overlaps (section 12).
func TestNoOverlapAtBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, env := drawRenewed(t)
		fixed := rapid.Bool().Draw(t, "fixed")
		k := 0
		if l.Spacing > 0 {
			k = l.FailuresTolerated(env)
		}
		hold := endless
		if fixed {
			l.Interval, l.AfterCall, k, hold = 0, false, 0, env.Hold
			l.TTL = (env.Hold + env.Pause + env.Margin) * 1_000_000_000 / time.Duration(1_000_000_000-env.Drift)
			l.TTL += 2
		}
		w := trial(l, env, hold)
		w.Clients = 3
		w.AtOnce = rapid.Bool().Draw(t, "at once")
		// A fixed lease has the margin of one call: without watching the
		// stop-work point the acquire's reply must not use it too.
		if rapid.Bool().Draw(t, "watches") {
			w.Stop = l.StopWork(env)
			w.Net = Within{Sched: env.Margin / 3, RTT: env.Margin - env.Margin/3}
		} else {
			w.Net = Within{Sched: env.Margin}
		}
		w.Fault.DropRenewals = k
		span := l.Due(env) + time.Duration(k+1)*l.Spacing
		if fixed {
			span = env.Hold + env.Margin
		}
		w.Fault.PauseAt = time.Duration(rapid.Int64Range(0, int64(span)).Draw(t, "pause at"))
		w.Fault.PauseFor = env.Pause
		out := &Outcome{}
		var runner Runner
		for seed := range uint64(20) {
			runner.Play(w, 3*l.TTL, rand.NewPCG(seed, 9), out)
		}
		if out.Overlaps != 0 {
			t.Fatalf("%d overlaps of %v", out.Overlaps, out.OverlapTime)
		}
	})
}

// Just beyond each bound, one at a time, a fixed lease at its minimum shows
// the failure that is predicted: the last write comes after the lease.
func TestJustBeyondEachBound(t *testing.T) {
	env := calc.Env{Hold: 800 * ms, Pause: 1500 * ms, Margin: 700 * ms}
	l := calc.Lease{TTL: 3 * sec}
	for _, c := range []struct {
		name                string
		hold, pause, margin time.Duration
		overlaps            uint64
	}{
		{"at the bounds", env.Hold, env.Pause, env.Margin, 0},
		{"hold", env.Hold + 2, env.Pause, env.Margin, 1},
		{"pause", env.Hold, env.Pause + 2, env.Margin, 1},
		{"margin", env.Hold, env.Pause, env.Margin + 2, 1},
	} {
		w := trial(l, env, c.hold)
		w.Net = Way{Out: c.margin}
		w.Fault.PauseAt, w.Fault.PauseFor = env.Hold-1, c.pause
		// A waiter wants the lock from the beginning.
		w.Think = Always(1)
		if out := play(w, 4*sec); out.Overlaps != c.overlaps {
			t.Errorf("%s: %d overlaps, want %d", c.name, out.Overlaps, c.overlaps)
		}
		// Who watches the stop-work point is saved from a long hold, and from
		// nothing else.
		w.Stop = l.StopWork(env)
		want := c.overlaps
		if c.name == "hold" {
			want = 0
		}
		if out := play(w, 4*sec); out.Overlaps != want {
			t.Errorf("%s, watching: %d overlaps, want %d", c.name, out.Overlaps, want)
		}
	}
}

// C5: no takeover is later than predicted, and the worst phase comes as close
// to it as a waiter that polls at the worst moment.
func TestTakeover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, env := drawRenewed(t)
		env.RTT = env.Margin / 2
		env.Detect = time.Duration(rapid.IntRange(0, 2000).Draw(t, "detect")) * ms
		worst, _, clean := l.Takeover(calc.Generic{}, env)
		w := trial(l, env, endless)
		w.Worth = l.TTL
		w.Net = Way{Out: env.RTT / 2, Back: env.RTT / 2}
		w.Detect = Always(env.Detect + env.RTT/2)
		w.Fault.Crash = true
		w.Fault.CrashAt = l.Due(env) + 1 // a renewal is on its way
		out := play(w, 2*worst+l.TTL)
		if out.Takeover.Count() != 1 || out.Takeover.Worst() > worst {
			t.Fatalf("takeover %v, predicted at most %v", out.Takeover.Worst(), worst)
		}
		if worst-out.Takeover.Worst() > 2 {
			t.Fatalf("takeover %v is not the predicted worst of %v", out.Takeover.Worst(), worst)
		}
		w.Fault = Fault{}
		w.Work = Always(ms)
		if out := play(w, 10*clean+sec); out.Handover.Worst() > clean || out.Handover.Count() == 0 {
			t.Fatalf("handover %v, predicted at most %v", out.Handover.Worst(), clean)
		}
	})
}

// H1: a task that never ends gives the lock up after the maximum hold, and
// the lease that is left.
func TestStuckTask(t *testing.T) {
	l := calc.Lease{TTL: 30 * sec, Interval: 10 * sec, Call: sec, Spacing: 10 * sec}
	w := trial(l, calc.Env{}, sec)
	w.Net = Way{}
	w.MaxHold = 2 * time.Minute
	w.Fault.Stuck = true
	out := play(w, 5*time.Minute)
	if got := out.StuckFor.Worst(); got != 2*time.Minute {
		t.Errorf("held for %v, want 2m", got)
	}
	if got := out.Takeover.Worst(); got > 30*sec || out.Takeover.Count() != 1 {
		t.Errorf("takeover %v after that", got)
	}
	if out.Overlaps != 0 || out.Lost != 0 {
		t.Errorf("%d overlaps, %d lost", out.Overlaps, out.Lost)
	}
	// Without a maximum it is held for ever.
	w.MaxHold = 0
	if out := play(w, time.Hour); out.Takeover.Count() != 0 {
		t.Errorf("taken over without a maximum hold")
	}
}

// A failover that forgets the lock makes two holders at once, which only
// fencing can catch; the holder is told with its next renewal.
func TestForgottenLock(t *testing.T) {
	l := calc.Lease{TTL: 30 * sec, Interval: 10 * sec, Call: sec, Spacing: 10 * sec}
	w := trial(l, calc.Env{}, time.Minute)
	w.Net = Way{}
	w.Think = Always(1)
	w.Fault.Forgets = true
	w.Fault.OutageAt = 12 * sec
	out := play(w, 50*sec)
	if out.Overlaps != 1 || out.OverlapTime != 8*sec {
		t.Errorf("%d overlaps of %v, want one of the 8s until the next renewal", out.Overlaps, out.OverlapTime)
	}
}

// Who is told nothing when a renewal finds the lock gone works on to its
// stop-work point, and without one to its end.
func TestSilentLoss(t *testing.T) {
	l := calc.Lease{TTL: 30 * sec, Interval: 10 * sec, Call: sec, Spacing: 10 * sec}
	for _, c := range []struct {
		stop, overlap time.Duration
		cut           uint64
	}{{-1, 48 * sec, 0}, {29 * sec, 27 * sec, 1}} {
		w := trial(l, calc.Env{}, time.Minute)
		w.Net = Way{}
		w.Think = Always(1)
		w.Fault.Forgets, w.Fault.OutageAt = true, 12*sec
		w.Silent, w.Stop = true, c.stop
		// The last renewal that found the lock was sent after 10s.
		if out := play(w, 3*time.Minute); out.Overlaps != 1 || out.OverlapTime != c.overlap || out.Cut != c.cut {
			t.Errorf("stop-work %v: %d overlaps of %v, want one of %v; %d cut", c.stop, out.Overlaps, out.OverlapTime, c.overlap, out.Cut)
		}
	}
}
