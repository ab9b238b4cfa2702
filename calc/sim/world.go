package sim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// World is one lease lock and the clients that want it. The holder's own
// clock is the clock of the world: a service whose clock runs faster gives a
// lease that is worth less.
type World struct {
	Worth    time.Duration // T(1-rho)
	Lag      Source        // from the end of a lease until others can own the lock
	Interval time.Duration // I; 0 is a fixed lease
	Call     time.Duration // Tr: later replies are not waited for
	Spacing  time.Duration // r
	// AfterCall starts the timers of Interval when a call ended; Spacing holds
	// the failed call already.
	AfterCall bool
	Stop      time.Duration // S; negative: the application does not watch it
	// Loss is how long after its last confirmed renewal was sent the library
	// tells a holder, which then waits for the next as it does past S; 0 is
	// never.
	Loss    time.Duration
	Silent  bool          // a renewal that finds the lock gone tells nobody
	MaxHold time.Duration // 0 is none

	Clients int
	Think   Source // from one turn of a client to the next
	Once    bool   // each client has one turn; Think comes before it
	AtOnce  bool   // acquires take no time, and their replies Late
	Late    time.Duration
	Work    Source        // hold time; dist.Inf is stuck
	Detect  Source        // from the lock being free until the first waiter's call acts
	Wait    time.Duration // A; 0 waits for ever
	Gap     Source        // from work going on to the next pause
	Pause   Source
	Net     Network
	// ToTheEnd plays on until nobody waits or holds any more; no turn begins
	// after the time that a play is given.
	ToTheEnd bool
	// Steady passes over the renewals in the middle of a long hold, where
	// nothing fails: they are counted at their interval and not played.
	Steady bool

	// Fault strikes client 0 in its first turn.
	Fault Fault
	// Say, when it is not nil, is told what happens, in order but for
	// Overlapped, which is known when a hold is over.
	Say func(at time.Duration, client int, what string, value time.Duration)
}

// What Say is told of the two things that a story is read for.
const (
	Overlapped = "wrote after another owned the lock, for"
	LostLease  = "loses its lease"
)

// Network says how each call fares.
type Network interface {
	Call(*rand.PCG) Call
}

// Call is one call's way.
type Call struct {
	Out       time.Duration // from the decision to send until the service acts
	Back      time.Duration // until the client acts on the reply
	Dropped   bool          // the service never sees it
	Forgotten bool          // the client never sees the reply
}

// Fault is what goes wrong; times count from the start of the world, when
// client 0 sends its first acquire.
type Fault struct {
	PauseAt, PauseFor   time.Duration // client 0 stops; no pause when PauseFor is 0
	OutageAt, OutageFor time.Duration // the service answers no call that is sent or arrives then
	Forgets             bool          // the service loses the lock at OutageAt
	// Refuses is an outage whose first calls do not all hang: so many do, one
	// fails after a time of its own, others at once. All later ones hang. It
	// matters where timers start when a call ended.
	Refuses       bool
	Hang, Refused int
	OneFailsAfter time.Duration
	DropRenewals  int  // client 0's first renewals never arrive
	CutOff        bool // none of client 0's renewals in its first turn arrives
	Crash         bool // client 0 dies at CrashAt
	CrashAt       time.Duration
	Stuck         bool // client 0's work never ends
}

// Outcome is what happened in one or more worlds.
type Outcome struct {
	Events       uint64
	Wanted       uint64
	GaveUp       uint64
	Acquired     uint64
	Finished     uint64        // holds that came to their end
	Lost         uint64        // leases that ended while their holder still worked
	Cut          uint64        // holds ended by the stop-work point or the maximum hold
	Interrupted  uint64        // times that a holder had to wait for a renewal
	Renewals     uint64        // calls
	Overlaps     uint64        // holders whose writes came after another owned the lock
	OverlapTime  time.Duration // from the other's owning to the last such write
	WorstOverlap time.Duration
	Held         time.Duration // from acquiring to the last write, all holders
	Wait         Tally         // until the lock was had, or for as long as the caller waited for it
	Takeover     Tally         // from a crash, or from a stuck task's end, to the next owner
	Handover     Tally         // from a release to the next owner
	StuckFor     Tally         // from acquiring to the end of renewals of a stuck task
}

// Merge adds what other counted.
func (o *Outcome) Merge(p *Outcome) {
	o.Events += p.Events
	o.Wanted += p.Wanted
	o.GaveUp += p.GaveUp
	o.Acquired += p.Acquired
	o.Finished += p.Finished
	o.Lost += p.Lost
	o.Cut += p.Cut
	o.Interrupted += p.Interrupted
	o.Renewals += p.Renewals
	o.Overlaps += p.Overlaps
	o.OverlapTime = add(o.OverlapTime, p.OverlapTime)
	o.WorstOverlap = max(o.WorstOverlap, p.WorstOverlap)
	o.Held = add(o.Held, p.Held)
	o.Wait.Merge(&p.Wait)
	o.Takeover.Merge(&p.Takeover)
	o.Handover.Merge(&p.Handover)
	o.StuckFor.Merge(&p.StuckFor)
}

// The kinds of event, in the order in which they happen when they happen at
// once. What ends a lease comes after what still arrives in time, and after
// what is sent then: a call may take no time at all, and h + P + M = T is kept
// (F1). So does the stop-work point come after a renewal of its instant (R1).
// A pause comes before what it delays.
const (
	kOutage uint64 = iota
	kCrash
	kPause
	kAcquire
	kLand
	kRelease
	kResume
	kReply
	kConfirm
	kWork
	kMax
	kTick
	kStop
	kExpire
	kGone
	kTry
	kGiveUp
	kWant
)

const (
	kindShift   = 58
	clientShift = 36
	turnShift   = 16
	clientMask  = 1<<(kindShift-clientShift) - 1
	turnMask    = 1<<(clientShift-turnShift) - 1
	attemptMask = 1<<turnShift - 1
)

// MostClients is how many clients a world can have.
const MostClients = clientMask

type state uint8

const (
	idle    state = iota
	waiting       // wants the lock
	granted       // has it and does not know yet
	holding
	leaving // the last write and the release are on their way
	hung    // stuck or dead: the lease runs out
)

const never = math.MaxInt64

type client struct {
	state     state
	running   bool // works: not paused, not past the stop-work point
	blocked   bool // past the stop-work point
	confirmed bool // the latest renewal was
	accepted  bool // by the service, the latest renewal
	stopSet   bool // a stop event is in the calendar
	noRenew   bool // the maximum hold is over
	stuck     bool

	turn    uint64
	attempt uint64
	wanted  int64
	began   int64 // of work
	sent    int64 // of the last confirmed acquire or renewal
	heard   int64 // its reply
	ticks   int64 // when its renewals are looked at next
	tried   int64 // when the latest renewal was sent
	spacing int64 // until the next one if it fails
	back    int64 // its reply's way; negative when the reply is lost

	left   int64 // work
	since  int64 // it runs
	workAt int64 // it is done
	resume int64 // end of the pause
	effect int64 // when the latest write landed or will
	taken  int64 // when another got the lock from under this client; never
}

// Runner plays worlds one after another without allocating for each.
type Runner struct {
	w     *World
	rng   *rand.PCG
	out   *Outcome
	cal   calendar
	now   int64
	cs    []client
	queue []uint64 // what-words of those who wait, oldest first
	head  int
	// limits are the ends of the waits. All waits are as long, so they end in
	// the order in which they began, and one event at a time is enough.
	limits    []event
	limitHead int
	limitSet  bool
	stale     []int32 // lost the lease and do not know

	owner     int32
	expiry    int64
	expireSet bool
	trySet    bool
	downUntil int64
	stopAfter time.Duration // the earlier of Stop and Loss; negative is none
	freed     int64         // when a release freed the lock; -1 when something else did
	ended     int64         // when the present owner crashed or got stuck; -1
	drops     int
	failed    int // calls of the outage

	most    uint64 // events of one world; 0 is no limit
	tooLong bool   // a world had more, and was left there
}

// Play runs a world until the given time and adds to out.
func (r *Runner) Play(w *World, until time.Duration, rng *rand.PCG, out *Outcome) {
	r.w, r.rng, r.out = w, rng, out
	r.cal, r.queue, r.head, r.stale = r.cal[:0], r.queue[:0], 0, r.stale[:0]
	r.limits, r.limitHead, r.limitSet = r.limits[:0], 0, false
	r.now, r.owner, r.expireSet, r.trySet, r.downUntil, r.freed, r.ended = 0, -1, false, false, 0, -1, -1
	r.drops, r.failed = w.Fault.DropRenewals, 0
	r.stopAfter = w.Stop
	if r.told() {
		r.stopAfter = w.Loss
	}
	if cap(r.cs) < w.Clients {
		r.cs = make([]client, w.Clients)
	}
	r.cs = r.cs[:w.Clients]
	for i := range r.cs {
		r.cs[i] = client{}
	}
	r.push(0, kWant, 0, 0)
	for i := 1; i < w.Clients; i++ {
		r.later(w.Think.Draw(rng), kWant, i, 0)
	}
	f := &w.Fault
	if f.OutageFor > 0 || f.Forgets {
		r.push(int64(f.OutageAt), kOutage, 0, 0)
	}
	if f.PauseFor > 0 {
		r.push(int64(f.PauseAt), kPause, 0, attemptMask)
	}
	if f.Crash {
		r.push(int64(f.CrashAt), kCrash, 0, 0)
	}
	begin := r.out.Events
	for len(r.cal) > 0 && (r.cal[0].at <= int64(until) || w.ToTheEnd) {
		if r.most > 0 && r.out.Events-begin == r.most {
			r.tooLong = true
			return
		}
		e := r.cal.pop()
		r.now = e.at
		r.out.Events++
		if r.now > int64(until) && e.what>>kindShift == kWant {
			continue
		}
		r.happen(e)
	}
	// Who still writes when the curtain falls has written until then.
	for len(r.stale) > 0 {
		c := &r.cs[r.stale[0]]
		if c.running {
			c.effect = max(c.effect, int64(until))
		}
		r.finish(int(r.stale[0]), c)
	}
}

// told reports whether the library stops a holder before its own stop-work
// point does.
func (r *Runner) told() bool {
	return r.w.Interval > 0 && r.w.Loss > 0 && (r.w.Stop < 0 || r.w.Loss < r.w.Stop)
}

func (r *Runner) push(at int64, kind uint64, client int, attempt uint64) {
	turn := r.cs[client].turn & turnMask
	r.cal.push(event{at, kind<<kindShift | uint64(client)<<clientShift | turn<<turnShift | attempt})
}

// later pushes an event that may never come.
func (r *Runner) later(in time.Duration, kind uint64, client int, attempt uint64) {
	if in != dist.Inf && int64(in) < never-r.now {
		r.push(r.now+int64(in), kind, client, attempt)
	}
}

func (r *Runner) say(client int, what string, value int64) {
	if r.w.Say != nil {
		r.w.Say(time.Duration(r.now), client, what, time.Duration(value))
	}
}

func (r *Runner) happen(e event) {
	kind := e.what >> kindShift
	i := int(e.what >> clientShift & clientMask)
	c := &r.cs[i]
	switch kind {
	case kExpire:
		r.expire()
		return
	case kTry:
		r.firstTries()
		return
	case kGiveUp:
		r.giveUp()
		return
	case kOutage:
		r.outage()
		return
	case kPause:
		if e.what&attemptMask == attemptMask {
			r.pause(i, c, int64(r.w.Fault.PauseFor))
			return
		}
	case kResume:
		r.resumed(i, c)
		return
	}
	if e.what>>turnShift&turnMask != c.turn&turnMask && kind != kCrash {
		return
	}
	if kind >= kReply && kind <= kStop && r.now < c.resume {
		// A stopped process does at its end what was due in the pause.
		r.cal.push(event{c.resume, e.what})
		return
	}
	switch kind {
	case kWant:
		r.want(i, c)
	case kAcquire:
		r.acquire(i, c)
	case kReply:
		r.reply(i, c)
	case kTick:
		if e.what&attemptMask == c.attempt {
			r.tick(i, c)
		}
	case kLand:
		r.land(i, c, e.what&attemptMask)
	case kConfirm:
		r.confirm(i, c, e.what&attemptMask)
	case kWork:
		if c.state == holding && c.running && c.workAt == r.now {
			r.out.Finished++
			r.leave(i, c, "finishes after holding for")
		}
	case kStop:
		r.stop(i, c)
	case kMax:
		r.maximum(i, c)
	case kPause:
		if c.state == holding {
			r.pause(i, c, int64(r.w.Pause.Draw(r.rng)))
		}
	case kCrash:
		r.crash(i, c)
	case kRelease:
		r.release(i, c)
	case kGone:
		r.gone(i, c)
	}
}
