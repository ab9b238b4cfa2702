package cmd

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/risk"
	"github.com/lockplan/lockplan/profiles/input"
)

// evidence is what the risk model takes from the inputs beyond their bounds.
func evidence(got input.Resolved) risk.Evidence {
	e := risk.Evidence{
		Hold: got.Hold, Claims: got.Claims, Pauses: got.Pauses, RTTs: got.RTTs,
		Confidence: max(got.Inputs.Hold.Confidence, got.Inputs.Pause.Confidence, got.Inputs.RTT.Confidence),
	}
	if got.PauseWindow != nil {
		e.Window = *got.PauseWindow
	}
	return e
}

// riskOf is section 10's figure for a plan's lease.
func riskOf(got input.Resolved) func(calc.Inputs, calc.Lease) plan.Risk {
	e := evidence(got)
	return func(in calc.Inputs, l calc.Lease) plan.Risk {
		mode := calc.Fixed
		if l.Renews() {
			mode = calc.Renewed
		}
		maxHold := calc.MaxHold(in, calc.Solution{Mode: mode, Lease: l})
		r := risk.New(in, e, l.TTL, l.TTL).Lease(l, maxHold.Value)
		if !r.Known {
			return plan.Risk{Why: r.Basis}
		}
		estimate, upper := digits(r.Estimate), digits(r.Sampled)
		return plan.Risk{FalseExpiry: &estimate, Upper: &upper, Why: r.Basis}
	}
}
