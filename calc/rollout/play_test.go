package rollout

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// play is a second method beside the rules: a lock service and a few processes
// of both kinds, event by event. Every delay is drawn, mostly at an end of what
// the plan allows; any renewal may fail and any holder crash. Exclusion must
// hold all the same: no write of a hold lands after a later hold began.
type play struct {
	rng           *rand.Rand
	pause, margin time.Duration
	now           time.Duration
	events        queue
	locks         map[string]*held
	holds         []*hold
	late          string // the first write that came too late
	// fromLast is a mistake: work stops by the last lock's stop-work point
	// alone.
	fromLast bool
}

// held is a lock as the service has it.
type held struct {
	by    *hold
	since time.Duration // its last acquire or renewal arrived
	lease Lock
}

// free is whether a process that takes the lock as w may have it.
func (h *held) free(now time.Duration, w Lock) bool {
	ttl := h.lease.Lease.TTL
	if h.lease.Observed { // the waiter counts by its own TTL
		ttl = w.Lease.TTL
	}
	return h.by == nil || now >= h.since+calc.Lease{TTL: ttl}.Worth(h.lease.Drift)
}

// hold is one try of a process to take its locks and to work under them.
type hold struct {
	p      Process
	sent   []time.Duration // of each lock, its last confirmed call
	begun  time.Duration
	number int // in order of beginning; 0 has not begun
	over   bool
}

type event struct {
	at time.Duration
	do func()
}

type queue []event

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(e any)        { *q = append(*q, e.(event)) }
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

// played plays a mix of processes of a step and says which write, if any, came
// after a later hold began.
func played(s Step, seed int64, processes int, fromLast bool) string {
	g := &play{rng: rand.New(rand.NewPCG(uint64(seed), 1)), pause: s.Before.In.Pause.Value, margin: s.Before.In.Margin.Value,
		locks: map[string]*held{}, fromLast: fromLast}
	longest := time.Duration(0)
	for _, p := range []Process{s.Before, s.After} {
		for _, l := range p.Locks {
			longest = max(longest, l.Lease.TTL)
		}
	}
	for i := range processes {
		p := s.Before
		if i%2 == 1 {
			p = s.After
		}
		g.after(g.upTo(longest), func() { g.begin(p) })
	}
	for end := 6 * longest; len(g.events) > 0 && g.late == ""; {
		e := heap.Pop(&g.events).(event)
		if g.now = e.at; g.now > end {
			break
		}
		e.do()
	}
	return g.late
}

func (g *play) after(d time.Duration, do func()) { heap.Push(&g.events, event{g.now + d, do}) }

// upTo is a duration from 0 to most, as a rule one of the two.
func (g *play) upTo(most time.Duration) time.Duration {
	switch g.rng.IntN(4) {
	case 0:
		return 0
	case 1:
		return time.Duration(g.rng.Int64N(int64(most) + 1))
	}
	return most
}

func (g *play) begin(p Process) {
	h := &hold{p: p, sent: make([]time.Duration, len(p.Locks))}
	g.acquire(h, 0, g.now)
}

// acquire tries to take a lock; since is when the wait for it began.
func (g *play) acquire(h *hold, i int, since time.Duration) {
	l, sent, there := h.p.Locks[i], g.now, g.upTo(g.margin)
	g.after(there, func() {
		s := g.locks[l.Name]
		if s == nil {
			s = &held{}
			g.locks[l.Name] = s
		}
		got := s.free(g.now, l)
		if got {
			*s = held{h, g.now, l}
		}
		g.after(g.upTo(g.margin-there), func() {
			patience, limited := h.p.Patience()
			switch {
			case i > 0 && limited && g.now-since > patience:
				g.end(h)
			case !got:
				g.after(max(time.Millisecond, g.upTo(l.Lease.TTL/8)), func() { g.acquire(h, i, since) })
			default:
				h.sent[i] = sent
				if l.Lease.Renews() {
					g.after(max(0, sent+l.Lease.Interval-g.now), func() { g.renew(h, i) })
				}
				if i+1 < len(h.p.Locks) {
					g.acquire(h, i+1, g.now)
					return
				}
				if h.begun = g.now; g.now >= g.stops(h) { // the first lease ran out while the second was waited for
					g.end(h)
					return
				}
				g.holds = append(g.holds, h)
				h.number = len(g.holds)
				g.work(h)
			}
		})
	})
}

// renew sends a renewal; half of them are lost on the way there, or back.
func (g *play) renew(h *hold, i int) {
	if h.over || h.number > 0 && g.now >= h.begun+h.p.MaxHold {
		return
	}
	l, sent := h.p.Locks[i], g.now
	g.after(l.Lease.Interval, func() { g.renew(h, i) })
	if g.rng.IntN(3) == 0 {
		return
	}
	there := g.upTo(g.margin)
	g.after(there, func() {
		if s := g.locks[l.Name]; s.by == h {
			s.since = g.now
			if g.rng.IntN(4) > 0 {
				g.after(g.upTo(g.margin-there), func() { h.sent[i] = max(h.sent[i], sent) })
			}
		}
	})
}

// stops is when work stops as the holder knows by now.
func (g *play) stops(h *hold) time.Duration {
	stop := h.begun + h.p.MaxHold
	for i, l := range h.p.Locks {
		if !g.fromLast || i+1 == len(h.p.Locks) {
			stop = min(stop, h.sent[i]+l.StopWork)
		}
	}
	return stop
}

// work decides to write, again and again: mostly just before it must stop. What
// was decided lands a pause and a call later.
func (g *play) work(h *hold) {
	switch stop := g.stops(h); {
	case g.rng.IntN(40) == 0: // a crash: nothing is given back
		h.over = true
		return
	case g.rng.IntN(10) == 0 || g.now > h.begun+h.p.MaxHold:
		g.end(h)
		return
	case g.now < stop:
		g.after(g.upTo(g.pause)+g.upTo(g.margin), func() { g.land(h) })
		g.after(max(time.Millisecond, g.upTo(stop-g.now-1)), func() { g.work(h) })
		return
	}
	// A renewed lease may go on when the next renewal is confirmed.
	g.after(max(time.Millisecond, g.margin), func() { g.work(h) })
}

func (g *play) land(h *hold) {
	for _, later := range g.holds[h.number:] {
		if g.late == "" && later != h {
			g.late = fmt.Sprintf("at %v a write lands of %s, which began at %v: %s began at %v", g.now, names(h.p), h.begun, names(later.p), later.begun)
		}
	}
}

// end gives back what is held and starts anew. Writes on their way are waited
// for first.
func (g *play) end(h *hold) {
	h.over = true
	wait := time.Duration(0)
	if h.number > 0 {
		wait = g.pause + g.margin
	}
	g.after(wait, func() {
		for _, l := range h.p.Locks {
			if s := g.locks[l.Name]; s != nil && s.by == h {
				s.by = nil
			}
		}
		g.after(max(time.Millisecond, g.upTo(g.pause)), func() { g.begin(h.p) })
	})
}

// The play sees the faults that an order must not have: without it a play that
// finds nothing would say nothing.
func TestPlaySeesFaults(t *testing.T) {
	short, long := plan(t, "redis", inputs(800*ms, calc.Fixed)), plan(t, "redis", inputs(5*time.Second, calc.Fixed))
	other := plan(t, "etcd", inputs(800*ms, calc.Fixed))
	faulty := func(before, after Side) Step {
		r := newPair(before, after).route(before, after, options{})
		return Step{"all at once", r.process(0), r.process(r.all())}
	}
	late := short
	late.StopWork, late.MaxHold = long.StopWork, long.MaxHold
	observed := func(s Side) Side { s.Observed = true; return s }
	steps, conflict := Order(short, other)
	if conflict != nil || steps[2].Part != Both {
		t.Fatal("no step that takes both")
	}
	tight := steps[2]
	tight.After.Locks = append([]Lock(nil), tight.After.Locks...)
	tight.After.Locks[0].Lease.TTL = short.Lease.TTL // the old lease as it was, of 3 s
	for _, c := range []struct {
		name     string
		step     Step
		fromLast bool
	}{
		{"no lock that both take", faulty(short, other), false},
		{"work past the lease", faulty(short, late), false},
		{"an observer's shorter TTL", faulty(observed(long), observed(short)), false},
		{"the stop-work point of the second lock alone", tight, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range int64(3000) {
				if played(c.step, seed, 3, c.fromLast) != "" {
					return
				}
			}
			t.Error("nothing seen in 3000 plays")
		})
	}
}

// TestPlayedOrders plays every step of the everyday ways many times.
func TestPlayedOrders(t *testing.T) {
	var sides []Side
	for _, lock := range []string{"redis", "etcd"} {
		for _, hold := range []time.Duration{300 * ms, 5 * time.Second} {
			for _, mode := range []calc.Mode{calc.Fixed, calc.Renewed} {
				sides = append(sides, plan(t, lock, inputs(hold, mode)))
			}
		}
	}
	for _, before := range sides {
		for _, after := range sides {
			steps, conflict := Order(before, after)
			if conflict != nil {
				t.Errorf("%s %v to %s %v: %v", before.Lock, before.Lease, after.Lock, after.Lease, conflict.Violations)
			}
			everyMixedState(t, before, after, steps)
			for i, s := range steps {
				for seed := range int64(60) {
					if late := played(s, seed, 2+int(seed%3), false); late != "" {
						t.Errorf("%s %v to %s %v, step %d, %s, play %d: %s", before.Lock, before.Lease, after.Lock, after.Lease, i+1, s.Part, seed, late)
						break
					}
				}
			}
		}
	}
}
