package calc

import "time"

// FixedMin is F1, or its variant of B7 where the hold already contains the
// pauses: T_min = (h + P + M) / (1 - rho), rounded up.
func FixedMin(in Inputs) time.Duration {
	work := sum(in.Hold.Value, in.Pause.Value)
	if in.PauseIncluded {
		work = max(in.Hold.Value, sum(in.HoldP50.Value, in.Pause.Value))
	}
	least := mulDiv(sum(work, in.Margin.Value), int64(One), int64(One-in.Drift), true)
	if least <= in.Hold.Value { // F1: T = h exactly is a violation
		return sum(in.Hold.Value, 1)
	}
	return least
}

// fixedHold is the maximum hold of a fixed lease, F2's S. Where the hold
// already contains the pauses (B7) it is what F1's variant leaves for a hold;
// S itself stays earlier by a pause, because a side effect that starts at S
// may still be followed by one.
func fixedHold(in Inputs, l Lease) time.Duration {
	if in.PauseIncluded {
		return l.Worth(in.Drift) - in.Margin.Value
	}
	return l.StopWork(in.Env())
}

// StopWork is S of F2 and R4 for resolved inputs.
func StopWork(in Inputs, l Lease) time.Duration { return l.StopWork(in.Env()) }
