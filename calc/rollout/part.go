package rollout

import (
	"slices"

	"github.com/lockplan/lockplan/calc"
)

// Part is what one step changes, in every process.
type Part string

// The parts, in the order in which they are tried.
const (
	ServerMax Part = "server maximum"
	Layers    Part = "outer timeouts"
	Both      Part = "take both locks"
	Lease     Part = "lease" // TTL and renewals, where the library ties them
	TTL       Part = "lease TTL"
	Renewal   Part = "renewals"
	Whole     Part = "lease and work limits" // where each alone is unsafe
	DropOld   Part = "drop the old lock"
	Work      Part = "work limits"
	Wait      Part = "acquire wait"
	ServerMin Part = "server minimum"
)

// differences are the parts that the two sides do not share.
func (r *route) differences() []Part {
	a, b := r.before, r.after
	var out []Part
	add := func(differs bool, part Part) {
		if differs {
			out = append(out, part)
		}
	}
	sameLock := a.Lock == b.Lock
	// Servers must grant the longer TTL before it is asked for, and the shorter
	// one too; to narrow their range afterwards is nobody's need.
	ranged := sameLock && a.Ranged
	add(ranged && b.Lease.TTL > a.Lease.TTL, ServerMax)
	add(a.In.Deadline.Value != b.In.Deadline.Value || a.In.Deadline.Known != b.In.Deadline.Known || a.In.QueueSLA.Value != b.In.QueueSLA.Value ||
		a.In.Work.Value != b.In.Work.Value || a.In.Reply.Value != b.In.Reply.Value || a.In.Confirm.Value != b.In.Confirm.Value, Layers)
	add(!sameLock, Both)
	ttl, renewal := a.Lease.TTL != b.Lease.TTL, !sameRenewal(a.Lease, b.Lease)
	// A hold that differs is no step by itself: nobody sets it. Each of two
	// locks keeps its own stop-work point.
	work := a.MaxHold != b.MaxHold || sameLock && a.StopWork != b.StopWork
	tied := a.In.Library.Traits().Ratio != 0 || b.In.Library.Traits().Ratio != 0
	switch {
	case !sameLock:
	case r.whole:
		add(ttl || renewal || work, Whole)
		work = false
	case tied:
		add(ttl || renewal, Lease)
	default:
		add(ttl, TTL)
		add(renewal, Renewal)
	}
	add(!sameLock, DropOld)
	add(work, Work)
	add(a.HasWait != b.HasWait || a.HasWait && (a.Wait != b.Wait || a.Attempt != b.Attempt), Wait)
	add(ranged && b.Lease.TTL < a.Lease.TTL, ServerMin)
	return out
}

// sameRenewal compares everything of two leases but the TTL.
func sameRenewal(a, b calc.Lease) bool {
	b.TTL = a.TTL
	return a == b
}

// order is how the parts are tried: what gives room first, what takes room
// last.
func (r *route) order() []Part {
	gives := map[Part]bool{
		ServerMax: true,
		Layers:    r.after.In.Deadline.Value >= r.before.In.Deadline.Value,
		Both:      true, DropOld: true,
		Lease: true, Whole: true,
		TTL:     r.after.Lease.TTL >= r.before.Lease.TTL,
		Renewal: r.after.Lease.Renews() && (!r.before.Lease.Renews() || r.after.Lease.Interval <= r.before.Lease.Interval),
		Work:    r.after.StopWork <= r.before.StopWork,
		// Waits last: a wait that grows early or late harms nobody, and one
		// that shrinks is safe once takeovers are shorter.
	}
	var first, last []Part
	for _, part := range r.parts {
		if gives[part] {
			first = append(first, part)
		} else {
			last = append(last, part)
		}
	}
	slices.SortStableFunc(first, func(a, b Part) int { return rank(a) - rank(b) })
	slices.SortStableFunc(last, func(a, b Part) int { return rank(a) - rank(b) })
	return append(first, last...)
}

// rank puts shorter work before anything that a shorter lease could cut, and
// waits behind both.
func rank(p Part) int {
	switch p {
	case Work:
		return 1
	case Wait:
		return 3
	case ServerMin, ServerMax:
		return 0
	}
	return 2
}
