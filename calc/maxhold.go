package calc

import "time"

// MaxHold is H1: the longest hold a plan allows and where it comes from. A
// fixed lease ends work at its stop-work point; a renewed one at factor times
// the P99 of the hold, the planning percentile where P99 is not known, and at
// least T. It is also at least the hold at the planning percentile: a cap
// below that would end healthy work (LP116).
func MaxHold(in Inputs, s Solution) Bound {
	if s.Mode == Fixed {
		return Compute(StopWork(in, s.Lease), "the stop-work point of a fixed lease")
	}
	if in.MaxHold.Known {
		return in.MaxHold
	}
	base, name := in.HoldP99, "the hold's P99"
	if !base.Finite() {
		base, name = in.Hold, "the hold at the planning percentile"
	}
	limit := in.HoldFactor.Of(base.Value)
	most := Compute(limit, in.HoldFactor.String()+" x "+name)
	if in.Hold.Finite() && in.Hold.Value > limit {
		most = Compute(in.Hold.Value, "the hold at the planning percentile: "+most.Source+" is shorter")
	}
	if s.Lease.TTL > most.Value {
		return Compute(s.Lease.TTL, "one lease: "+in.HoldFactor.String()+" x "+name+" is shorter")
	}
	return most
}

// Checkpoints is O2: into how many pieces a long task is cut so that a fixed
// lease of each piece meets the recovery target; 0 when no number does.
func Checkpoints(in Inputs, s Solution) int {
	room := Lease{TTL: max(s.TTLMax, 0)}.StopWork(in.Env())
	if !s.HasMax || room <= 0 {
		return 0
	}
	pieces := (in.Hold.Value + room - 1) / room
	return int(min(pieces, time.Duration(1<<30)))
}
