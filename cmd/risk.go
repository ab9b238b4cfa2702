package cmd

import (
	"math"
	"time"

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

// cutMean is the mean of holds that are cut at the maximum hold, no more than
// what is known of it without: of claims what it is at least, and interpolated.
func cutMean(got input.Resolved) func(calc.Inputs, time.Duration) calc.Inputs {
	hold, known := evidence(got).HoldBand()
	return func(in calc.Inputs, most time.Duration) calc.Inputs {
		if !known {
			return in
		}
		cut := hold.Cap(most)
		lower := func(b *calc.Bound, mean float64, round func(float64) float64) {
			if v := round(mean * 1e9); !b.Finite() || v < float64(b.Value) {
				*b = calc.Compute(time.Duration(v), b.Source+", holds cut at the maximum hold")
			}
		}
		if !in.HoldMeanGuess.Known {
			lower(&in.HoldMean, cut.Hi.Mean(), math.Ceil)
			return in
		}
		lower(&in.HoldMean, cut.Lo.Mean(), math.Floor)
		lower(&in.HoldMeanGuess, cut.Mid.Mean(), math.Ceil)
		in.HoldMeanGuess.Kind = calc.Extrapolated
		return in
	}
}
