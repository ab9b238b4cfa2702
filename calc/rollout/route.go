package rollout

import (
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// route is the search for an order over the sets of steps that are done.
type route struct {
	before, after Side
	facts         calc.Inputs // what no step changes, on the safe side of both
	parts         []Part      // that differ
	// allowed are the rules that a plan breaks by itself, and by how much: no
	// mixed state may break them more.
	allowed  map[string]time.Duration
	dead     map[uint]bool // sets of done steps from which no order is safe
	best     []Step
	conflict *Conflict
}

func newRoute(before, after Side) *route {
	r := &route{before: before, after: after, facts: facts(before.In, after.In), dead: map[uint]bool{}}
	r.parts = r.differences()
	r.allowed = map[string]time.Duration{}
	for _, end := range []uint{0, r.all()} {
		for _, v := range violations(r.process(end), nil) {
			r.allowed[v.ID] = max(r.allowed[v.ID], v.By)
		}
	}
	return r
}

func (r *route) all() uint { return 1<<len(r.parts) - 1 }

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
	tied := a.In.Library.Traits().Ratio != 0 || b.In.Library.Traits().Ratio != 0
	switch {
	case !sameLock:
	case tied:
		add(ttl || renewal, Lease)
	default:
		add(ttl, TTL)
		add(renewal, Renewal)
	}
	add(!sameLock, DropOld)
	// A hold that differs is no step by itself: nobody sets it.
	add(a.StopWork != b.StopWork || a.MaxHold != b.MaxHold, Work)
	add(a.HasWait != b.HasWait || a.HasWait && (a.Wait != b.Wait || a.Attempt != b.Attempt), Wait)
	add(ranged && b.Lease.TTL < a.Lease.TTL, ServerMin)
	return out
}

// sameRenewal compares everything of two leases but the TTL.
func sameRenewal(a, b calc.Lease) bool {
	b.TTL = a.TTL
	return a == b
}

// process is what runs when a set of steps is done.
func (r *route) process(done uint) Process {
	has := func(part Part) bool {
		i := slices.Index(r.parts, part)
		return i < 0 || done&(1<<i) != 0 // a part that does not differ has the new value already
	}
	side := func(part Part) Side {
		if has(part) {
			return r.after
		}
		return r.before
	}
	p := Process{In: r.facts}
	layers, work, wait := side(Layers), side(Work), side(Wait)
	// What the deadline must have room for travels with it.
	p.In.Deadline, p.In.QueueSLA, p.In.Work, p.In.Reply, p.In.Confirm = layers.In.Deadline, layers.In.QueueSLA, layers.In.Work, layers.In.Reply, layers.In.Confirm
	if slices.Contains(r.parts, Work) {
		p.In.Hold, p.In.HoldP50, p.In.HoldP99 = work.In.Hold, work.In.HoldP50, work.In.HoldP99
	}
	p.StopWork, p.MaxHold = work.StopWork, work.MaxHold
	p.Wait, p.HasWait, p.Attempts = wait.Wait, wait.HasWait, wait.Attempt
	if r.before.Lock != r.after.Lock {
		both, dropped := has(Both), has(DropOld)
		if !dropped {
			p.Locks = append(p.Locks, lockOf(r.before))
		}
		if both {
			p.Locks = append(p.Locks, lockOf(r.after))
		}
		if both && !dropped {
			p.Attempts = r.before.Attempt + r.after.Attempt
		}
		return p
	}
	l := lockOf(r.after)
	whole := side(Lease)
	l.Lease.TTL = whole.Lease.TTL
	if slices.Contains(r.parts, TTL) {
		l.Lease.TTL = side(TTL).Lease.TTL
	}
	renewal := whole
	if slices.Contains(r.parts, Renewal) {
		renewal = side(Renewal)
	}
	ttl := l.Lease.TTL
	l.Lease = renewal.Lease
	l.Lease.TTL = ttl
	// What the servers granted before is not known beyond the old TTL.
	l.ServerMin, l.ServerMax = r.before.Lease.TTL, r.before.Lease.TTL
	if has(ServerMin) {
		l.ServerMin = min(l.ServerMin, r.after.Lease.TTL)
	}
	if has(ServerMax) {
		l.ServerMax = max(l.ServerMax, r.after.Lease.TTL)
	}
	p.Locks = []Lock{l}
	return p
}

func lockOf(s Side) Lock {
	return Lock{Name: s.Lock, Library: s.In.Library, Lease: s.Lease, ServerMin: s.Lease.TTL, ServerMax: s.Lease.TTL, Ranged: s.Ranged, Observed: s.Observed}
}

// facts are the inputs that no step changes: the worse of each fact, the
// weaker of each promise, because a mixed state can keep no more than that.
func facts(a, b calc.Inputs) calc.Inputs {
	in := b
	in.Pause, in.Margin, in.RTT, in.Detect = worse(a.Pause, b.Pause), worse(a.Margin, b.Margin), worse(a.RTT, b.RTT), worse(a.Detect, b.Detect)
	in.Hold, in.HoldP50, in.HoldP99 = worse(a.Hold, b.Hold), worse(a.HoldP50, b.HoldP50), worse(a.HoldP99, b.HoldP99)
	in.Drift = max(a.Drift, b.Drift)
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

// find walks depth first, so that the order keeps that of the parts wherever
// it is free.
func (r *route) find() ([]Step, *Conflict) {
	if len(r.parts) == 0 {
		return nil, nil
	}
	steps, found := r.from(0, nil)
	if found {
		return steps, nil
	}
	return r.best, r.conflict
}

func (r *route) from(done uint, steps []Step) ([]Step, bool) {
	if done == r.all() {
		return steps, true
	}
	if r.dead[done] {
		return nil, false
	}
	var blocked *Conflict
	for _, part := range r.order() {
		bit := uint(1) << slices.Index(r.parts, part)
		if done&bit != 0 || part == DropOld && done&(1<<slices.Index(r.parts, Both)) == 0 {
			continue
		}
		step := Step{part, r.process(done), r.process(done | bit)}
		if wrong := r.mixed(step.Before, step.After); len(wrong) > 0 {
			if blocked == nil {
				blocked = &Conflict{part, step.Before, step.After, wrong}
			}
			continue
		}
		if got, ok := r.from(done|bit, append(slices.Clip(steps), step)); ok {
			return got, true
		}
	}
	r.dead[done] = true
	if blocked != nil && (r.conflict == nil || len(steps) > len(r.best)) {
		r.best, r.conflict = steps, blocked
	}
	return nil, false
}

// order is how the parts are tried: what gives room first, what takes room
// last.
func (r *route) order() []Part {
	gives := map[Part]bool{
		ServerMax: true,
		Layers:    r.after.In.Deadline.Value >= r.before.In.Deadline.Value,
		Both:      true, DropOld: true,
		Lease:   true,
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
