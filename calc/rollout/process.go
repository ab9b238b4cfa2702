package rollout

import (
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Process is what a process runs at one point of a rollout.
type Process struct {
	Locks    []Lock // two while both are taken, in the order in which they are
	In       calc.Inputs
	MaxHold  time.Duration
	Wait     time.Duration
	HasWait  bool
	Attempts time.Duration // one attempt on every lock it takes
	// paused is the pause that the stop-work points leave room for and that the
	// hold contains already (B7).
	paused time.Duration
}

// Lock is one lock that a process takes.
type Lock struct {
	Name    string
	Library calc.Library
	Drift   calc.Ratio
	Lease   calc.Lease
	// StopWork counts from when this lock's last confirmed acquire or renewal
	// was sent.
	StopWork  time.Duration
	Attempt   time.Duration // worst time of one attempt to acquire
	ServerMin time.Duration // what servers grant; meaningless unless Ranged
	ServerMax time.Duration
	Ranged    bool
	Observed  bool
}

// StopWork is the earliest of the locks' stop-work points.
func (p Process) StopWork() time.Duration {
	least := p.Locks[0].StopWork
	for _, l := range p.Locks {
		least = min(least, l.StopWork)
	}
	return least
}

// Longest is how long work may go on with the locks in hand: the maximum hold,
// and with a fixed lease no longer than its stop-work point.
func (p Process) Longest() time.Duration {
	longest := p.MaxHold
	for i := range p.Locks {
		longest = min(longest, p.Limit(i))
	}
	return longest
}

// Limit is Longest as far as one of the locks decides it: what the stop-work
// point of a fixed lease leaves beside the wait for a second lock.
func (p Process) Limit(lock int) time.Duration {
	l := p.Locks[lock]
	if l.Lease.Renews() {
		return p.MaxHold
	}
	limit := p.reach(l)
	if patience, ok := p.Patience(); ok && lock == 0 {
		limit -= patience
	}
	return max(0, min(p.MaxHold, limit))
}

// reach is how long after its acquire was sent a fixed lease lets work go on.
// A hold that contains the pauses may last a pause longer than S.
func (p Process) reach(l Lock) time.Duration { return l.StopWork + p.paused }

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
	p := Process{In: r.facts, paused: r.paused}
	layers, work, wait := side(Layers), side(r.limits()), side(Wait)
	// What the deadline must have room for travels with it.
	p.In.Deadline, p.In.QueueSLA, p.In.Work, p.In.Reply, p.In.Confirm = layers.In.Deadline, layers.In.QueueSLA, layers.In.Work, layers.In.Reply, layers.In.Confirm
	if r.holdMoves {
		p.In.Hold, p.In.HoldP50, p.In.HoldP99 = work.In.Hold, work.In.HoldP50, work.In.HoldP99
	}
	p.MaxHold = work.MaxHold
	p.Wait, p.HasWait, p.Attempts = wait.Wait, wait.HasWait, wait.Attempt
	if r.before.Lock != r.after.Lock {
		r.twoLocks(&p, has(Both), !has(DropOld))
		return p
	}
	l := r.lock(r.after)
	l.StopWork, l.Attempt = work.StopWork, wait.Attempt
	l.Lease = r.lease(side)
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

// limits is the part that the limits of the work are of.
func (r *route) limits() Part {
	if r.whole && r.before.Lock == r.after.Lock {
		return Whole
	}
	return Work
}

// lease is the lease of one lock, of the parts that it changes in.
func (r *route) lease(side func(Part) Side) calc.Lease {
	ttl, renewal := TTL, Renewal
	for _, part := range []Part{Lease, Whole} {
		if slices.Contains(r.parts, part) {
			ttl, renewal = part, part
		}
	}
	l := side(renewal).Lease
	l.TTL = side(ttl).Lease.TTL
	return l
}

func (r *route) lock(s Side) Lock {
	return Lock{Name: s.Lock, Library: s.In.Library, Drift: r.drift[s.Lock], Lease: s.Lease, StopWork: s.StopWork, Attempt: s.Attempt,
		ServerMin: s.Lease.TTL, ServerMax: s.Lease.TTL, Ranged: s.Ranged, Observed: s.Observed}
}
