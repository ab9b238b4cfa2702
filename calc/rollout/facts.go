package rollout

import (
	"time"

	"github.com/lockplan/lockplan/calc"
)

// pair is what holds for every way between two plans.
type pair struct {
	before, after Side
	facts         calc.Inputs           // what no step changes, on the safe side of both
	drift         map[string]calc.Ratio // of each lock
	paused        time.Duration         // see Process
	// holdMoves is set where the limits of the work change, and the hold that
	// each plan knows with them.
	holdMoves bool
	// allowed are the rules that a plan breaks by itself, and by how much: no
	// mixed state may break them more.
	allowed map[string]time.Duration
}

func newPair(before, after Side) *pair {
	p := &pair{before: before, after: after, facts: facts(before.In, after.In), allowed: map[string]time.Duration{},
		holdMoves: before.MaxHold != after.MaxHold || before.Lock == after.Lock && before.StopWork != after.StopWork}
	p.drift = map[string]calc.Ratio{before.Lock: drift(before, after)}
	p.drift[after.Lock] = max(p.drift[after.Lock], drift(after, before))
	if p.facts.PauseIncluded {
		for _, s := range []Side{before, after} { // a plan's document holds S, and not the pause
			p.paused = max(p.paused, s.Lease.Worth(s.In.Drift)-s.In.Margin.Value-s.StopWork)
		}
	}
	r := p.route(before, after, options{})
	for _, end := range []uint{0, r.all()} {
		state := r.process(end)
		for _, v := range append(violations(state, nil), standstill(state)...) {
			p.allowed[v.ID] = max(p.allowed[v.ID], v.By)
		}
	}
	return p
}

// drift is the clock-rate error of one lock. One that was given is a fact of
// the clocks and counts for both; what a library takes off by itself is its
// own.
func drift(own, other Side) calc.Ratio {
	if other.In.DriftGiven {
		return max(own.In.Drift, other.In.Drift)
	}
	return own.In.Drift
}

// facts are the inputs that no step changes: the worse of each fact, the
// weaker of each promise, because a mixed state can keep no more than that.
// The drift is the lock's.
func facts(a, b calc.Inputs) calc.Inputs {
	in := b
	in.Pause, in.Margin, in.RTT, in.Detect = worse(a.Pause, b.Pause), worse(a.Margin, b.Margin), worse(a.RTT, b.RTT), worse(a.Detect, b.Detect)
	in.Hold, in.HoldP50, in.HoldP99 = worse(a.Hold, b.Hold), worse(a.HoldP50, b.HoldP50), worse(a.HoldP99, b.HoldP99)
	in.PauseIncluded = a.PauseIncluded && b.PauseIncluded
	in.Failures, in.FailuresGiven = min(a.Failures, b.Failures), true
	in.RTO = calc.Bound{}
	if a.RTO.Known && b.RTO.Known {
		in.RTO = worse(a.RTO, b.RTO)
	}
	in.AcquireRate, in.Contenders, in.Holders = max(a.AcquireRate, b.AcquireRate), max(a.Contenders, b.Contenders), max(a.Holders, b.Holders)
	in.Fencing = min(max(a.Fencing, calc.FencingNo), max(b.Fencing, calc.FencingNo))
	return in
}

func worse(a, b calc.Bound) calc.Bound {
	if !a.Known || b.Known && b.Value > a.Value {
		return b
	}
	return a
}
