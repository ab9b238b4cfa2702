package rollout

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
)

// twoLocks fills in the locks of a process on its way from one to another.
func (r *route) twoLocks(p *Process, new, old bool) {
	if old {
		p.Locks = append(p.Locks, r.lock(r.before))
	}
	if new {
		p.Locks = append(p.Locks, r.lock(r.after))
	}
	if len(p.Locks) < 2 {
		return
	}
	p.Attempts = r.before.Attempt + r.after.Attempt
	if r.newFirst {
		slices.Reverse(p.Locks)
	}
}

// Patience is how long a process that takes two locks may wait for the second
// one: then it gives the first up and starts anew. What is spent on the second
// comes off the first lease (A6), so a fixed one leaves what its stop-work
// point leaves beside the hold; a renewed one is renewed meanwhile. ok is
// false where there is no second lock, or no limit.
func (p Process) Patience() (patience time.Duration, ok bool) {
	if len(p.Locks) < 2 {
		return 0, false
	}
	room, fixed := p.room()
	switch {
	case fixed && p.HasWait:
		return min(room, p.Wait), true
	case fixed:
		return room, true
	}
	return p.Wait, p.HasWait
}

// room is what the first of two leases leaves for the second acquire, rounded
// down to what people type; fixed is false where it is renewed meanwhile.
func (p Process) room() (room time.Duration, fixed bool) {
	first := p.Locks[0]
	switch {
	case first.Lease.Renews():
		return 0, false
	case !p.In.Hold.Finite():
		return 0, true
	}
	work := p.In.Hold.Value
	if p.In.PauseIncluded {
		work = max(work, p.In.HoldP50.Value+p.In.Pause.Value)
	}
	return max(0, p.reach(first)-work).Truncate(time.Millisecond), true
}

// second are the violations of taking a second lock after the first.
func (p Process) second() []Violation {
	if len(p.Locks) < 2 {
		return nil
	}
	var out []Violation
	if p.HasWait && p.Attempts > p.Wait {
		out = append(out, Violation{ID: "A2", By: p.Attempts - p.Wait, Text: fmt.Sprintf("one attempt on each of two locks takes up to %s, and the acquire wait is %s (A2)",
			dur.Format(p.Attempts), dur.Format(p.Wait))})
	}
	first, second := p.Locks[0], p.Locks[1]
	if room, fixed := p.room(); fixed && room < second.Attempt {
		out = append(out, Violation{ID: "A6", By: second.Attempt - room, Text: fmt.Sprintf("one attempt on the second lock, %s, takes up to %s, and the fixed lease of the first, %s of %s, leaves %s for it (A6)",
			second.Name, dur.Format(second.Attempt), first.Name, dur.Format(first.Lease.TTL), dur.Format(room))})
	}
	return out
}

// lengthened is the old plan with a fixed lease that has room for an attempt on
// the new lock; ok is false where no such plan is needed or possible.
func (p *pair) lengthened() (middle Side, ok bool) {
	old, new := p.before, p.after
	if old.Lock == new.Lock || old.Lease.Renews() {
		return old, false
	}
	in := p.facts
	in.Library, in.Drift, in.Mode, in.MaxHold, in.RTO = old.In.Library, p.drift[old.Lock], calc.Fixed, calc.Bound{}, old.In.RTO
	if p.holdMoves {
		in.Hold, in.HoldP50, in.HoldP99 = old.In.Hold, old.In.HoldP50, old.In.HoldP99
	}
	if !in.Hold.Finite() {
		return old, false
	}
	in.Hold.Value += new.Attempt
	in.HoldP50.Value += new.Attempt
	s := calc.Solve(in)
	if !s.Solved || s.Lease.TTL <= old.Lease.TTL {
		return old, false
	}
	old.Lease, old.StopWork = s.Lease, calc.StopWork(in, s.Lease)
	return old, true
}
