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

// StopWork is S of F2 and R4 for resolved inputs. Where the hold of a fixed
// lease already contains the pauses (B7) it is what F1's variant leaves for
// the work.
func StopWork(in Inputs, l Lease) time.Duration {
	if l.Renews() || !in.PauseIncluded {
		return l.StopWork(in.Env())
	}
	return l.Worth(in.Drift) - in.Margin.Value
}
