package rollout

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
)

const ms = time.Millisecond

// plan is a side as the planner makes it from a hold, a pause and a margin.
func plan(t interface{ Fatalf(string, ...any) }, lock string, in calc.Inputs) Side {
	in, err := in.Resolve()
	if err != nil {
		t.Fatalf("%v", err)
	}
	s := calc.Solve(in)
	if !s.Solved {
		t.Fatalf("%s has no plan", lock)
	}
	a := calc.SolveAcquire(in, 0)
	return Side{In: in, Lock: lock, Lease: s.Lease, StopWork: calc.StopWork(in, s.Lease), MaxHold: calc.MaxHold(in, s).Value,
		Wait: a.Wait, HasWait: a.Known, Attempt: a.Attempt}
}

// ties is a library that renews three times a TTL and cannot be told otherwise.
type ties struct{ calc.Generic }

func (ties) Name() string { return "ties" }

func (ties) Traits() calc.Traits {
	t := calc.Generic{}.Traits()
	t.Ratio = 3 * calc.One
	return t
}

func claim(d time.Duration) calc.Bound { return calc.Claim(d, "test") }

func inputs(hold time.Duration, mode calc.Mode) calc.Inputs {
	return calc.Inputs{Hold: claim(hold), Pause: claim(1500 * ms), Margin: claim(700 * ms), Mode: mode}
}

func parts(steps []Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, string(s.Part))
	}
	return strings.Join(out, ", ")
}

func TestOrderOfEverydayChanges(t *testing.T) {
	with := func(s Side, change func(*Side)) Side { change(&s); return s }
	deadline := func(in calc.Inputs) calc.Inputs {
		in.Deadline, in.Work, in.Reply = claim(time.Second), claim(450*ms), claim(100*ms)
		return in
	}
	short, long := plan(t, "redis", inputs(800*ms, calc.Fixed)), plan(t, "redis", inputs(5*time.Second, calc.Fixed))
	watchdog := plan(t, "redis", inputs(20*time.Second, calc.Renewed))
	watchdogOf := func(lock string) Side { return plan(t, lock, inputs(20*time.Second, calc.Renewed)) }
	tied := func(s Side) Side { return with(s, func(s *Side) { s.In.Library = ties{} }) }
	ranged := func(s Side) Side { return with(s, func(s *Side) { s.Ranged = true }) }
	quick := deadline(inputs(800*ms, calc.Fixed))
	quick.Margin = claim(200 * ms)
	for _, c := range []struct {
		name, want    string
		before, after Side
	}{
		{"nothing", "", short, short},
		{"TTL raised", "lease TTL, work limits", short, long},
		{"TTL lowered", "work limits, lease TTL", long, short},
		{"watchdog switched on", "lease TTL, renewals, work limits", short, watchdog},
		// The stop-work point of 6.5 s would cut every longer hold before the
		// renewals come: 10 + 2.2 s are 13 s of a fixed lease.
		{"watchdog switched on, and the lease shorter", "renewals, work limits, lease TTL", plan(t, "redis", inputs(10*time.Second, calc.Fixed)), watchdog},
		{"watchdog switched off, and the lease longer", "lease TTL, work limits, renewals", watchdog, plan(t, "redis", inputs(20*time.Second, calc.Fixed))},
		{"watchdog switched off", "work limits, renewals, lease TTL", watchdog, short},
		{"session raised", "server maximum, lease TTL, work limits", ranged(short), ranged(long)},
		{"session lowered", "work limits, server minimum, lease TTL", ranged(long), ranged(short)},
		// 700 ms of a lease of 3 s go to the second acquire: 800 + 700 + 2200 ms are 3.7 s.
		{"library changed", "lease TTL, work limits, take both locks, drop the old lock", short, plan(t, "etcd", inputs(800*ms, calc.Fixed))},
		{"library changed, and the work grows", "take both locks, drop the old lock, work limits", short, plan(t, "etcd", inputs(5*time.Second, calc.Fixed))},
		{"library changed, to a renewed lease", "take both locks, drop the old lock, work limits", short, plan(t, "etcd", inputs(20*time.Second, calc.Renewed))},
		{"library changed, from a renewed lease", "work limits, take both locks, drop the old lock", watchdog, plan(t, "etcd", inputs(20*time.Second, calc.Fixed))},
		{"library changed, both renewed", "take both locks, drop the old lock", watchdog, plan(t, "etcd", inputs(20*time.Second, calc.Renewed))},
		{"watchdog switched on by a library that ties it", "lease and work limits", tied(plan(t, "redisson", inputs(20*time.Second, calc.Fixed))), tied(watchdogOf("redisson"))},
		{"watchdog switched off by a library that ties it", "lease and work limits", tied(watchdogOf("redisson")), tied(plan(t, "redisson", inputs(20*time.Second, calc.Fixed)))},
		{"library changed, two attempts in the wait", "lease TTL, work limits, take both locks, drop the old lock", plan(t, "redis", quick), plan(t, "etcd", quick)},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps, conflict := Order(c.before, c.after)
			if conflict != nil {
				t.Fatalf("no order: %v", conflict.Violations)
			}
			if got := parts(steps); got != c.want {
				t.Errorf("order %q, want %q", got, c.want)
			}
			everyMixedState(t, c.before, c.after, steps)
		})
	}
}

// everyMixedState enumerates the processes that can run at any moment of an
// order, and checks every pair of them by the formulas of the model alone.
func everyMixedState(t interface{ Errorf(string, ...any) }, before, after Side, steps []Step) {
	pause, margin := max(before.In.Pause.Value, after.In.Pause.Value), max(before.In.Margin.Value, after.In.Margin.Value)
	k := time.Duration(min(before.In.Failures, after.In.Failures))
	safe := func(p Process) string {
		for i, l := range p.Locks {
			hold, spent := p.In.Hold.Value, time.Duration(0)
			if len(p.Locks) == 2 && i == 0 {
				spent = p.Locks[1].Attempt
			}
			switch {
			case !l.Lease.Renews() && l.Lease.TTL < hold+pause+margin: // F1
				return "a fixed lease is below T_min"
			case !l.Lease.Renews() && l.Lease.TTL < hold+spent+pause+margin: // A6
				return "the second lock takes what the work needs of the first lease"
			case !l.Lease.Renews() && (p.MaxHold > l.StopWork || l.StopWork-spent < hold): // H1: nothing restarts S
				return "work is cut"
			case l.Lease.Renews() && p.MaxHold < hold:
				return "work is cut"
			case l.Lease.Renews() && min(l.StopWork, l.Lease.TTL-pause-margin) < l.Lease.Interval+k*l.Lease.Spacing+l.Lease.Call && hold > l.StopWork: // R1
				return "work stands still before a renewal is confirmed"
			case l.Lease.Renews() && l.Lease.Interval+l.Lease.Spacing+l.Lease.Call+pause+margin > l.Lease.TTL: // R1, k = 1
				return "a renewal can come too late"
			case l.Lease.Renews() && l.Lease.Interval+2*l.Lease.Call+l.Lease.Backoff > l.Lease.TTL: // R2
				return "two attempts do not fit"
			case l.StopWork > l.Lease.TTL-pause-margin: // F2, R4
				return "work goes on past the lease"
			case l.Ranged && (l.Lease.TTL > l.ServerMax || l.Lease.TTL < l.ServerMin):
				return "the servers cut the lease"
			}
		}
		if p.HasWait && p.In.Deadline.Known && p.Wait > p.In.Deadline.Value-p.In.Work.Value-p.In.Reply.Value-p.In.Confirm.Value { // A1
			return "the wait eats the budget"
		}
		return ""
	}
	for i, s := range steps {
		for _, a := range []Process{s.Before, s.After} {
			if why := safe(a); why != "" {
				t.Errorf("step %d, %s: %s", i+1, s.Part, why)
			}
			for _, b := range []Process{s.Before, s.After} {
				shared := slices.ContainsFunc(a.Locks, func(l Lock) bool {
					return slices.ContainsFunc(b.Locks, func(m Lock) bool { return m.Name == l.Name })
				})
				if !shared {
					t.Errorf("step %d, %s: two processes share no lock", i+1, s.Part)
				}
			}
		}
		if i > 0 && !same(steps[i-1].After, s.Before) {
			t.Errorf("step %d does not begin where step %d ended", i+1, i)
		}
	}
	if len(steps) > 0 {
		first, last := steps[0].Before, steps[len(steps)-1].After
		if first.Locks[0].Lease != before.Lease || len(last.Locks) != 1 || last.Locks[0].Lease != after.Lease ||
			first.Locks[0].StopWork != before.StopWork || last.Locks[0].StopWork != after.StopWork || last.MaxHold != after.MaxHold || last.Wait != after.Wait || first.Wait != before.Wait {
			t.Errorf("the steps do not lead from the old plan to the new one")
		}
	}
}

func same(a, b Process) bool {
	return slices.EqualFunc(a.Locks, b.Locks, func(x, y Lock) bool {
		return x.Name == y.Name && x.Lease == y.Lease && x.StopWork == y.StopWork && x.ServerMax == y.ServerMax
	}) &&
		a.MaxHold == b.MaxHold && a.Wait == b.Wait && a.In.Hold == b.In.Hold && a.In.Deadline == b.In.Deadline
}

func TestNoOrder(t *testing.T) {
	// A wait of 1000 - 450 - 100 = 450 ms has no room for one attempt of
	// 450 ms on each of two locks: a process of the old lock and one of the
	// new would run side by side.
	in := inputs(800*ms, calc.Fixed)
	in.Deadline, in.Work, in.Reply = claim(time.Second), claim(450*ms), claim(100*ms)
	steps, conflict := Order(plan(t, "redis", in), plan(t, "etcd", in))
	if conflict == nil {
		t.Fatalf("an order: %s", parts(steps))
	}
	if len(conflict.Before.Locks) != 1 || len(conflict.After.Locks) != 2 || len(conflict.Violations) != 2 || !strings.Contains(conflict.Violations[0].Text, "900ms, and the acquire wait is 450ms") {
		t.Errorf("%+v", conflict)
	}
}

// An observer that goes by its own TTL takes the lock from a holder whose
// renewals count on a longer one.
func TestObserversOwnTTL(t *testing.T) {
	before, after := plan(t, "lease", inputs(time.Second, calc.Renewed)), plan(t, "lease", inputs(time.Second, calc.Renewed))
	after.Lease.TTL, after.Lease.Interval, after.Lease.Spacing = 30*time.Second, 10*time.Second, 10*time.Second
	after.StopWork = 30*time.Second - 2200*ms
	before.Observed, after.Observed = true, true
	steps, conflict := Order(before, after)
	if conflict != nil || parts(steps) != "lease TTL, work limits, renewals" {
		t.Fatalf("%s: %v", parts(steps), conflict)
	}
	// The same change in one step would put an observer of 8.7 s beside a
	// holder that renews every 10 s.
	r := newPair(before, after).route(before, after, options{})
	if wrong := r.mixed(r.process(0), r.process(r.all())); len(wrong) == 0 {
		t.Error("one step for all of it is called safe")
	}
}

// Whatever order is found, every mixed state of it is safe; and where none is
// found, no permutation of the steps is safe.
func TestOrderLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tie := rapid.Bool().Draw(t, "tied")
		draw := func(lock string) Side {
			span := func(name string, lo, hi int) calc.Bound {
				return claim(time.Duration(rapid.IntRange(lo, hi).Draw(t, name)) * 10 * ms)
			}
			in := calc.Inputs{Hold: span("hold", 1, 3000), Pause: claim(1500 * ms), Margin: span("margin", 1, 70),
				Mode: rapid.SampledFrom([]calc.Mode{calc.Fixed, calc.Renewed}).Draw(t, "mode")}
			if rapid.Bool().Draw(t, "deadline") {
				in.Deadline, in.Work, in.Reply = span("deadline", 120, 200), span("work", 1, 100), claim(100*ms)
			}
			s := plan(t, lock, in)
			s.Ranged = lock == "zookeeper"
			if tie {
				s.In.Library = ties{}
			}
			return s
		}
		from := rapid.SampledFrom([]string{"redis", "zookeeper"}).Draw(t, "from")
		to := rapid.SampledFrom([]string{"redis", "zookeeper"}).Draw(t, "to")
		before, after := draw(from), draw(to)
		if before.In.Margin.Value != after.In.Margin.Value { // a fact that changed is not the steps' business here
			after.In.Margin = before.In.Margin
			fresh := plan(t, to, calc.Inputs{Hold: after.In.Hold, Pause: after.In.Pause, Margin: before.In.Margin, Mode: after.In.Mode,
				Deadline: after.In.Deadline, Work: after.In.Work, Reply: after.In.Reply})
			fresh.Ranged, fresh.In.Library = after.Ranged, after.In.Library
			after = fresh
		}
		steps, conflict := Order(before, after)
		if conflict == nil {
			everyMixedState(t, before, after, steps)
			for _, s := range steps {
				if late := played(s, rapid.Int64().Draw(t, "play"), 3, false); late != "" {
					t.Fatalf("step %s: %s", s.Part, late)
				}
			}
			return
		}
		if from == to || !before.HasWait && !after.HasWait {
			t.Fatalf("two plans from the same facts, no wait to fit into, and no order: %v", conflict.Violations)
		}
		for _, o := range []options{{}, {newFirst: true}} {
			r := newPair(before, after).route(before, after, o)
			for _, order := range permutations(len(r.parts)) {
				if r.safe(order) {
					t.Fatalf("order %v of %v is safe and was not found", order, r.parts)
				}
			}
		}
	})
}

// safe tries one order of the parts.
func (r *route) safe(order []int) bool {
	done := uint(0)
	for _, i := range order {
		if r.parts[i] == DropOld && done&(1<<slices.Index(r.parts, Both)) == 0 {
			return false
		}
		if len(r.mixed(r.process(done), r.process(done|1<<i))) > 0 {
			return false
		}
		done |= 1 << i
	}
	return true
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			out = append(out, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return out
}
