package cmd

import (
	"strings"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/rollout"
)

// stepText says what a step does, from what and to what.
func stepText(s rollout.Step) (do, from, to string) {
	old, new := s.Before.Locks[0], s.After.Locks[0]
	switch s.Part {
	case rollout.ServerMax:
		return "servers grant up to", dur.Format(old.ServerMax), dur.Format(new.ServerMax)
	case rollout.ServerMin:
		return "servers grant down to", dur.Format(old.ServerMin), dur.Format(new.ServerMin)
	case rollout.Layers:
		return "outer timeouts", layersText(s.Before.In), layersText(s.After.In)
	case rollout.Both:
		if new.Name == old.Name {
			return "take both locks, the old one first", old.Name, lockNames(s.After)
		}
		return "take both locks, the new one first", old.Name, lockNames(s.After)
	case rollout.DropOld:
		return "drop the old lock", lockNames(s.Before), new.Name
	case rollout.TTL:
		return "lease TTL", dur.Format(old.Lease.TTL), dur.Format(new.Lease.TTL)
	case rollout.Renewal:
		return "renewals", renewalText(old.Lease), renewalText(new.Lease)
	case rollout.Lease:
		return "lease", leaseText(old.Lease), leaseText(new.Lease)
	case rollout.Whole:
		return "lease and work limits", leaseText(old.Lease) + ", stop work " + dur.Format(old.StopWork) + ", maximum hold " + dur.Format(s.Before.MaxHold),
			leaseText(new.Lease) + ", stop work " + dur.Format(new.StopWork) + ", maximum hold " + dur.Format(s.After.MaxHold)
	case rollout.Work:
		return limitsText(s)
	}
	return "acquire wait", waitText(s.Before), waitText(s.After)
}

// limitsText names those of the two limits that differ.
func limitsText(s rollout.Step) (do, from, to string) {
	stops := [2]string{dur.Format(s.Before.Locks[0].StopWork), dur.Format(s.After.Locks[0].StopWork)}
	holds := [2]string{dur.Format(s.Before.MaxHold), dur.Format(s.After.MaxHold)}
	switch {
	case stops[0] == stops[1]:
		return "work limits: maximum hold", holds[0], holds[1]
	case holds[0] == holds[1]:
		return "work limits: stop work", stops[0], stops[1]
	}
	return "work limits: stop work, maximum hold", stops[0] + ", " + holds[0], stops[1] + ", " + holds[1]
}

func lockNames(p rollout.Process) string {
	var out []string
	for _, l := range p.Locks {
		out = append(out, l.Name)
	}
	return strings.Join(out, " and ")
}

// layersText is the deadline with what it must have room for, and the limit of
// those who have none.
func layersText(in calc.Inputs) string {
	var out []string
	add := func(name string, b calc.Bound) {
		if b.Known {
			out = append(out, name+" "+dur.Format(b.Value))
		}
	}
	add("deadline", in.Deadline)
	if in.Deadline.Known {
		add("work", in.Work)
		add("reply", in.Reply)
		add("confirm", in.Confirm)
	}
	add("queue", in.QueueSLA)
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

func renewalText(l calc.Lease) string {
	if !l.Renews() {
		return "none"
	}
	return "every " + dur.Format(l.Interval) + ", " + dur.Format(l.Call) + " a call"
}

func leaseText(l calc.Lease) string { return dur.Format(l.TTL) + ", renewals " + renewalText(l) }

func waitText(p rollout.Process) string {
	if !p.HasWait {
		return "none"
	}
	return dur.Format(p.Wait) + ", " + dur.Format(p.Attempts) + " an attempt"
}

// how is what a step asks of the program beside its values; "" is nothing.
func how(s rollout.Step) string {
	switch s.Part {
	case rollout.Whole:
		return "in one restart, so that no process has the one without the other"
	case rollout.Both:
	default:
		return ""
	}
	p := s.After
	first, second := p.Locks[0], p.Locks[1]
	text := "every process in this order. Work stops " + stopText(first) + ", or " + stopText(second) + ", whichever is first"
	if !first.Lease.Renews() {
		text += ": the time spent on " + second.Name + " comes off the lease of " + first.Name + " (A6)"
	}
	text += "."
	if patience, ok := p.Patience(); ok {
		text += " Whoever waits longer than " + dur.Format(patience) + " for " + second.Name + " gives both up and starts anew."
	}
	if first.Lease.Renews() {
		text += " " + first.Name + " is renewed meanwhile; the maximum hold counts from when both are held."
	}
	return text
}

// stopText is from when the stop-work point of a lock counts.
func stopText(l rollout.Lock) string {
	sent := "the acquire"
	if l.Lease.Renews() {
		sent = "the last confirmed acquire or renewal"
	}
	return dur.Format(l.StopWork) + " after " + sent + " of " + l.Name + " was sent"
}

// why is the reason that a step stands where it stands.
var why = map[rollout.Part]string{
	rollout.ServerMax: "a server cuts a TTL that is above its range, and nobody is told",
	rollout.ServerMin: "a server raises a TTL that is below its range, and takeovers stay slow",
	rollout.Layers:    "the outer limit and the wait inside it must agree in every mix",
	rollout.Both:      "a process of the old lock alone and one of the new alone would not exclude each other",
	rollout.DropOld:   "every process takes the new lock by now",
	rollout.TTL:       "a lease is never shorter than the work and the renewals that count on it",
	rollout.Renewal:   "renewals count on the lease that every process has",
	rollout.Lease:     "the library ties the renewals to the TTL",
	rollout.Whole:     "the old limits would outlast the new lease, or cut work that it covers, and the new ones the old lease",
	rollout.Work:      "work never outlasts the shortest lease that still runs",
	rollout.Wait:      "waits last: a wait belongs to the takeover that callers see by then",
}

// reason is why a step is there. Two plans of one lock, of which only one names
// its library, look like two locks; to assume that they are one is not ours.
func (r route) reason(i int) string {
	s, generic := r.steps[i], calc.Generic{}.Name()
	switch {
	case s.Part == rollout.Both && (r.from.Lock == generic) != (r.to.Lock == generic):
		return why[s.Part] + "; if it is the same lock, name its library in both plans"
	case r.from.Lock != r.to.Lock && (s.Part == rollout.TTL || s.Part == rollout.Work && s.After.Locks[0].StopWork != s.Before.Locks[0].StopWork):
		return "the fixed lease must have room for the acquire of the second lock (A6), until it is dropped"
	}
	return why[s.Part]
}

// settleText is what to wait for when a step is done everywhere.
func settleText(s rollout.Step) string {
	return "wait " + dur.Format(s.Settle()) + ": a hold that began before the step may last " + dur.Format(s.Before.Longest()) +
		", and its last write land " + dur.Format(s.Settle()-s.Before.Longest()) + " later"
}
