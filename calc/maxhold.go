package calc

import "time"

// MaxHold is H1: the longest hold a plan allows and where it comes from. A
// fixed lease ends work at its stop-work point; a renewed one at factor times
// the P99 of the hold, the planning percentile where P99 is not known, and at
// least T. It is also at least the hold at the planning percentile, or what
// that is known to exceed: a cap below it would end healthy work (LP116). It
// is not known for a renewed lease when nothing is known of the hold.
func MaxHold(in Inputs, s Solution) Bound {
	if s.Mode == Fixed {
		most := Compute(fixedHold(in, s.Lease), "the stop-work point of a fixed lease")
		if in.PauseIncluded {
			most.Source = "T - M: the hold contains its pauses; a side effect that starts after the stop-work point may not"
		}
		if in.MaxHold.Known && in.MaxHold.Value < most.Value {
			return in.MaxHold
		}
		return most
	}
	if in.MaxHold.Known {
		return in.MaxHold
	}
	base, name := in.HoldP99, "the hold's P99"
	if !base.Finite() {
		base, name = in.Hold, "the hold at the planning percentile"
	}
	if !base.Finite() {
		return Bound{}
	}
	limit := in.HoldFactor.Of(base.Value)
	most := Compute(limit, in.HoldFactor.String()+" x "+name)
	for _, known := range []struct {
		hold Bound
		name string
	}{{in.Hold, "the hold at the planning percentile"}, {in.HoldAtLeast, "holds above this are known: state a --max-hold"}} {
		if known.hold.Finite() && known.hold.Value > most.Value {
			most = Compute(known.hold.Value, known.name+"; "+in.HoldFactor.String()+" x "+name+" is shorter")
		}
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
