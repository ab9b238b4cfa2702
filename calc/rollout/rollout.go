// Package rollout orders the steps from one plan of a lock to another so that
// every mixed state is safe: while a step runs, some processes have its old
// value and some its new one, and each of them has every earlier step behind
// it and every later one before it.
//
// A mixed state is safe when it breaks no rule of the catalogue that neither
// plan breaks alone, nor breaks one by more, and when any two processes that
// live side by side exclude each other. What a plan breaks alone is no fault of
// the order, and still unsafe: Ends says it (LP401).
package rollout

import (
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Side is one of the two plans.
type Side struct {
	In       calc.Inputs // resolved
	Lock     string      // which lock it is: two sides with another one do not exclude each other
	Lease    calc.Lease
	StopWork time.Duration
	MaxHold  time.Duration
	Wait     time.Duration // acquire wait; meaningless unless HasWait
	HasWait  bool
	Attempt  time.Duration // worst time of one attempt to acquire
	// Observed is set where a waiter judges the expiry by its own TTL rather
	// than by the holder's, as client-go did up to 1.26 and others still do.
	Observed bool
	// Ranged is set where servers cut the TTL to a range of their own, as
	// ZooKeeper does.
	Ranged bool
}

// Step changes one part everywhere, before the next step begins.
type Step struct {
	Part          Part
	Before, After Process // what runs side by side while the step is under way
}

// Settle is how long to wait when the step is done everywhere: a hold that
// began before it may last for the old maximum hold, and its last write land a
// pause and a margin later.
func (s Step) Settle() time.Duration {
	return s.Before.Longest() + max(s.Before.In.Pause.Value, s.Before.paused) + s.Before.In.Margin.Value
}

// Conflict is why a rollout cannot go on: the two states and what is wrong
// while processes of both live.
type Conflict struct {
	Before, After Process
	Violations    []Violation
}

// Order is the order of steps in which every mixed state is safe; the
// conflict is set when there is none, and the steps are then as far as one
// gets. Sides without a difference need no step.
//
// One part a step is tried first. Where that is not safe the lease and the
// limits of the work change in one step, and an old fixed lease is made longer
// before both locks are taken.
func Order(before, after Side) ([]Step, *Conflict) {
	p := newPair(before, after)
	steps, conflict := p.way(before, after)
	if conflict == nil {
		return steps, nil
	}
	if middle, ok := p.lengthened(); ok {
		first, blocked := p.way(before, middle)
		if blocked == nil {
			second, blocked := p.way(middle, after)
			if blocked == nil {
				return append(first, second...), nil
			}
		}
	}
	return steps, conflict
}

// Ends are what the first and the last state break by themselves, at the worse
// of the facts of both sides.
func Ends(before, after Side) (first, last []Violation) {
	r := newPair(before, after).route(before, after, options{})
	return violations(r.process(0), nil), violations(r.process(r.all()), nil)
}

// Violations are the rules that a process breaks with no other beside it.
func (p Process) Violations() []Violation { return violations(p, nil) }
