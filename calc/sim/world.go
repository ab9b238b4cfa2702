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
	DropRenewals        int           // client 0's first renewals never arrive
	CutOff              bool          // none of client 0's renewals in its first turn arrives
	Crash               bool          // client 0 dies at CrashAt
	CrashAt             time.Duration
	Stuck               bool // client 0's work never ends
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
	Wait         Tally         // until the lock was had
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

	most    uint64 // events of one world; 0 is no limit
	tooLong bool   // a world had more, and was left there
}

// Play runs a world until the given time and adds to out.
func (r *Runner) Play(w *World, until time.Duration, rng *rand.PCG, out *Outcome) {
	r.w, r.rng, r.out = w, rng, out
	r.cal, r.queue, r.head, r.stale = r.cal[:0], r.queue[:0], 0, r.stale[:0]
	r.limits, r.limitHead, r.limitSet = r.limits[:0], 0, false
	r.now, r.owner, r.expireSet, r.trySet, r.downUntil, r.freed, r.ended = 0, -1, false, false, 0, -1, -1
	r.drops = w.Fault.DropRenewals
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
	for len(r.cal) > 0 && r.cal[0].at <= int64(until) {
		if r.most > 0 && r.out.Events-begin == r.most {
			r.tooLong = true
			return
		}
		e := r.cal.pop()
		r.now = e.at
		r.out.Events++
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

// want begins a turn.
func (r *Runner) want(i int, c *client) {
	r.out.Wanted++
	c.turn++
	c.attempt = 0
	c.state, c.wanted = waiting, r.now
	if r.w.Wait > 0 {
		r.limit(i, c)
	}
	if r.owner < 0 && !r.trySet && r.head == len(r.queue) && r.now >= r.downUntil {
		call := r.acquireCall()
		c.back = int64(call.Back)
		r.say(i, "asks for the lock", 0)
		r.later(call.Out, kAcquire, i, 0)
		return
	}
	r.enqueue(i, c)
}

// acquireCall is how a call for the lock fares.
func (r *Runner) acquireCall() Call {
	if r.w.AtOnce {
		return Call{Back: r.w.Late}
	}
	return r.w.Net.Call(r.rng)
}

// word is a client in its turn, as events and queues carry it.
func word(i int, c *client) uint64 {
	return uint64(i)<<clientShift | (c.turn&turnMask)<<turnShift
}

// waits reports whether what a word names still waits.
func (r *Runner) waits(word uint64) bool {
	c := &r.cs[word>>clientShift&clientMask]
	return c.state == waiting && c.turn&turnMask == word>>turnShift&turnMask
}

// limit sets the end of a wait.
func (r *Runner) limit(i int, c *client) {
	if r.limitHead > 1024 && r.limitHead*2 > len(r.limits) {
		r.limits = r.limits[:copy(r.limits, r.limits[r.limitHead:])]
		r.limitHead = 0
	}
	r.limits = append(r.limits, event{r.now + int64(r.w.Wait), word(i, c)})
	r.nextLimit()
}

func (r *Runner) nextLimit() {
	for !r.limitSet && r.limitHead < len(r.limits) {
		if e := r.limits[r.limitHead]; r.waits(e.what) {
			r.limitSet = true
			r.cal.push(event{e.at, kGiveUp << kindShift})
			return
		}
		r.limitHead++
	}
}

// giveUp ends the waits that are over.
func (r *Runner) giveUp() {
	r.limitSet = false
	for r.limitHead < len(r.limits) && r.limits[r.limitHead].at <= r.now {
		what := r.limits[r.limitHead].what
		r.limitHead++
		if r.waits(what) {
			i := int(what >> clientShift & clientMask)
			c := &r.cs[i]
			r.out.GaveUp++
			r.say(i, "gives up after waiting", r.now-c.wanted)
			r.turnOver(i, c)
		}
	}
	r.nextLimit()
}

func (r *Runner) enqueue(i int, c *client) {
	if r.head > 1024 && r.head*2 > len(r.queue) {
		r.queue = r.queue[:copy(r.queue, r.queue[r.head:])]
		r.head = 0
	}
	r.queue = append(r.queue, word(i, c))
	if r.owner < 0 {
		r.tryLater()
	}
}

// tryLater has the first waiter notice that the lock is free.
func (r *Runner) tryLater() {
	if r.trySet || r.head == len(r.queue) {
		return
	}
	r.trySet = true
	at := max(r.now, r.downUntil) + int64(r.w.Detect.Draw(r.rng))
	r.cal.push(event{at, kTry << kindShift})
}

func (r *Runner) firstTries() {
	r.trySet = false
	if r.owner >= 0 {
		return
	}
	if r.now < r.downUntil {
		r.tryLater()
		return
	}
	for r.head < len(r.queue) {
		what := r.queue[r.head]
		r.head++
		if r.waits(what) {
			i := int(what >> clientShift & clientMask)
			c := &r.cs[i]
			call := r.acquireCall()
			c.back = int64(call.Back)
			r.grant(i, c, max(c.wanted, r.now-int64(call.Out)))
			return
		}
	}
}

// acquire is a call arriving at the service.
func (r *Runner) acquire(i int, c *client) {
	if c.state != waiting {
		return
	}
	if r.owner >= 0 || r.trySet || r.head < len(r.queue) || r.now < r.downUntil {
		r.enqueue(i, c)
		return
	}
	r.grant(i, c, c.wanted)
}

func (r *Runner) grant(i int, c *client, sent int64) {
	r.out.Acquired++
	r.owner, r.expiry = int32(i), r.now+int64(r.w.Worth)
	if r.ended >= 0 {
		r.out.Takeover.Add(time.Duration(r.now - r.ended))
	}
	if r.freed >= 0 {
		r.out.Handover.Add(time.Duration(r.now - r.freed))
	}
	r.ended, r.freed = -1, -1
	for _, s := range r.stale {
		if old := &r.cs[s]; old.taken == never {
			old.taken = r.now
		}
	}
	if !r.expireSet {
		r.expireSet = true
		r.cal.push(event{r.expiry + int64(r.w.Lag.Draw(r.rng)), kExpire << kindShift})
	}
	c.state, c.sent, c.taken, c.effect = granted, sent, never, 0
	r.say(i, "owns the lock until", r.expiry)
	r.out.Wait.Add(time.Duration(r.now - c.wanted))
	r.push(r.now+c.back, kReply, i, 0)
}

// reply is when the client knows that it has the lock, and begins to work.
func (r *Runner) reply(i int, c *client) {
	if c.state != granted {
		return
	}
	w := r.w
	c.state, c.began, c.heard = holding, r.now, r.now
	c.blocked, c.noRenew, c.confirmed = false, false, true
	c.left = int64(w.Work.Draw(r.rng))
	if i == 0 && w.Fault.Stuck && c.turn == 1 {
		c.left = never
	}
	c.stuck = c.left == never
	if r.stopAfter >= 0 {
		if r.now > c.sent+int64(r.stopAfter) {
			r.out.Cut++
			r.leave(i, c, "learns of its lease too late to begin, after")
			return
		}
		c.stopSet = true
		r.push(c.sent+int64(r.stopAfter), kStop, i, 0)
	}
	r.run(i, c)
	if w.Interval > 0 {
		r.tickAt(i, c, max(r.now, r.due(c)))
		if w.MaxHold > 0 {
			r.later(w.MaxHold, kMax, i, 0)
		}
	}
	r.nextPause(i, c)
}

// nextPause draws when work stops next; a pause after its end is none.
func (r *Runner) nextPause(i int, c *client) {
	if gap := r.w.Gap.Draw(r.rng); int64(gap) < c.left {
		r.later(gap, kPause, i, 0)
	}
}

// run lets work go on.
func (r *Runner) run(i int, c *client) {
	c.running, c.since = true, r.now
	c.workAt = never
	if c.left < never-r.now {
		c.workAt = r.now + c.left
		r.push(c.workAt, kWork, i, 0)
	}
}

// halt stops work where it is; the write that was just begun still lands.
func (r *Runner) halt(c *client) {
	if !c.running {
		return
	}
	c.running = false
	if c.left != never {
		c.left -= r.now - c.since
	}
	c.effect = max(c.effect, r.now+int64(r.w.Net.Call(r.rng).Out))
}

func (r *Runner) pause(i int, c *client, length int64) {
	if c.state == hung || c.state == idle {
		return
	}
	r.say(i, "is stopped for", length)
	if c.running {
		c.running, c.workAt = false, never
		if c.left != never {
			c.left -= r.now - c.since
		}
	}
	c.resume = max(c.resume, r.now+length)
	r.push(c.resume, kResume, i, 0)
}

func (r *Runner) resumed(i int, c *client) {
	if r.now < c.resume || c.state != holding || c.running {
		return
	}
	r.say(i, "goes on", 0)
	if !c.blocked {
		// The write that was checked before the pause goes out now.
		c.effect = max(c.effect, r.now+int64(r.w.Net.Call(r.rng).Out))
		r.run(i, c)
	}
	r.nextPause(i, c)
}

// due is when the renewal after a confirmed one is sent.
func (r *Runner) due(c *client) int64 {
	if r.w.AfterCall {
		return c.heard + int64(r.w.Interval)
	}
	return c.sent + int64(r.w.Interval)
}

// tick sends a renewal, or waits on when the last one was confirmed.
func (r *Runner) tick(i int, c *client) {
	if c.state != holding || c.noRenew {
		return
	}
	w := r.w
	if due := r.due(c); c.confirmed && r.now < due {
		r.tickAt(i, c, due)
		return
	}
	if again := c.tried + int64(w.Spacing); !c.confirmed && r.now < again {
		r.tickAt(i, c, again)
		return
	}
	r.out.Renewals++
	c.attempt = (c.attempt + 1) & (attemptMask >> 1)
	c.tried, c.confirmed, c.accepted = r.now, false, false
	call := w.Net.Call(r.rng)
	c.back = int64(call.Back)
	if call.Forgotten {
		c.back = -1
	}
	again := r.now + int64(min(w.Spacing, w.Interval))
	// atOnce is when the next attempt can fare otherwise: retries without a
	// wait would stay at this instant for ever.
	atOnce := r.now + max(1, int64(call.Out+call.Back))
	switch {
	case i == 0 && c.turn == 1 && w.Fault.CutOff:
		r.say(i, "sends a renewal that is lost", 0)
		atOnce = never
	case i == 0 && c.turn == 1 && r.drops > 0:
		r.drops--
		r.say(i, "sends a renewal that is lost", 0)
		atOnce = r.now // as many as are to be lost
	case call.Dropped:
		r.say(i, "sends a renewal that is lost", 0)
	case r.now < r.downUntil:
		r.say(i, "finds the lock service away", 0)
		atOnce = r.downUntil
	default:
		r.say(i, "sends a renewal", 0)
		r.later(call.Out, kLand, i, c.attempt)
	}
	if again == r.now {
		again = atOnce
	}
	if again < never {
		r.tickAt(i, c, again)
	}
}

// tickAt sets when to look at the renewals next. What is left in the calendar
// of an earlier attempt is dead.
func (r *Runner) tickAt(i int, c *client, at int64) {
	c.ticks = at
	r.push(at, kTick, i, c.attempt)
}

// land is a renewal arriving at the service.
func (r *Runner) land(i int, c *client, attempt uint64) {
	if r.now < r.downUntil {
		r.say(i, "has a renewal that the lock service never answers", 0)
		return
	}
	owns := r.owner == int32(i) // even of a client that died since it sent this
	if owns {
		r.expiry = r.now + int64(r.w.Worth)
		r.say(i, "is renewed until", r.expiry)
	}
	if attempt == c.attempt && c.back >= 0 {
		c.accepted = owns
		r.push(r.now+c.back, kConfirm, i, attempt)
	}
}

// confirm is the reply to a renewal.
func (r *Runner) confirm(i int, c *client, attempt uint64) {
	if c.state != holding || attempt != c.attempt || c.confirmed || r.now-c.tried > int64(r.w.Call) && c.accepted {
		return
	}
	if !c.accepted {
		if r.w.Silent {
			c.noRenew = true
			return
		}
		r.halt(c)
		r.leave(i, c, "is told that it lost the lock, after")
		return
	}
	c.confirmed, c.sent, c.heard = true, c.tried, r.now
	if due := r.due(c); due < c.ticks { // which waited for the call to fail
		r.tickAt(i, c, max(r.now, due))
	}
	if c.blocked {
		c.blocked = false
		r.say(i, "may work again", 0)
		r.run(i, c)
	}
	if r.stopAfter >= 0 && !c.stopSet {
		c.stopSet = true
		r.push(max(r.now, c.sent+int64(r.stopAfter)), kStop, i, 0)
	}
}

// stop is the stop-work point.
func (r *Runner) stop(i int, c *client) {
	if c.state != holding {
		return
	}
	if at := c.sent + int64(r.stopAfter); r.now < at {
		r.push(at, kStop, i, 0)
		return
	}
	c.stopSet = false
	r.halt(c)
	if r.w.Interval > 0 && !c.noRenew {
		r.out.Interrupted++
		c.blocked = true
		why := "must wait for a renewal: its last one was sent"
		if r.told() {
			why = "is told by its library, and must wait for a renewal: its last one was sent"
		}
		r.say(i, why, r.now-c.sent)
		return
	}
	r.out.Cut++
	r.leave(i, c, "stops at the stop-work point, after")
}

// maximum is the end of the longest hold allowed.
func (r *Runner) maximum(i int, c *client) {
	if c.state != holding {
		return
	}
	c.noRenew = true
	r.halt(c)
	r.out.Cut++
	r.leave(i, c, "is stopped at the maximum hold of")
}

// leave ends a hold: the last write and the release go out together. A task
// that hangs does neither.
func (r *Runner) leave(i int, c *client, why string) {
	r.say(i, why, r.now-c.began)
	if c.stuck {
		c.running = false
		r.out.StuckFor.Add(time.Duration(r.now - c.began))
		r.hang(i, c)
		return
	}
	lands := r.now + int64(r.w.Net.Call(r.rng).Out)
	if c.running {
		c.effect = max(c.effect, lands)
	}
	c.running, c.state = false, leaving
	r.push(max(lands, c.effect), kRelease, i, 0)
}

// hang leaves the lease to run out.
func (r *Runner) hang(i int, c *client) {
	c.state = hung
	if r.owner == int32(i) {
		r.ended = r.now
	}
	r.push(max(r.now, c.effect), kGone, i, 0)
}

func (r *Runner) crash(i int, c *client) {
	if c.state == idle || c.state == waiting || c.state == hung || c.turn != 1 {
		return
	}
	r.say(i, "crashes", 0)
	c.resume = 0
	r.halt(c)
	r.hang(i, c)
}

// release arrives at the service, and the last write where it goes.
func (r *Runner) release(i int, c *client) {
	if r.owner == int32(i) {
		r.owner = -1
		if r.head < len(r.queue) {
			r.freed = r.now
		}
		r.say(i, "has released the lock", 0)
		r.tryLater()
	}
	r.finish(i, c)
	r.turnOver(i, c)
}

// gone is the last sign of a client that does not release.
func (r *Runner) gone(i int, c *client) {
	if r.owner != int32(i) && c.state == hung {
		r.finish(i, c)
		c.state = idle
	}
}

// finish closes the books on a hold.
func (r *Runner) finish(i int, c *client) {
	r.out.Held = add(r.out.Held, time.Duration(max(0, c.effect-c.began)))
	if c.taken < c.effect {
		over := time.Duration(c.effect - c.taken)
		r.out.Overlaps++
		r.out.OverlapTime = add(r.out.OverlapTime, over)
		r.out.WorstOverlap = max(r.out.WorstOverlap, over)
		if r.w.Say != nil { // the books may close later than the write
			r.w.Say(time.Duration(c.effect), i, Overlapped, over)
		}
	}
	for k, s := range r.stale {
		if s == int32(i) {
			r.stale = append(r.stale[:k], r.stale[k+1:]...)
			break
		}
	}
}

// turnOver has a client think before it wants the lock again.
func (r *Runner) turnOver(i int, c *client) {
	c.state = idle
	if !r.w.Once {
		r.later(r.w.Think.Draw(r.rng), kWant, i, 0)
	}
}

// expire is the end of a lease, unless it was renewed meanwhile.
func (r *Runner) expire() {
	r.expireSet = false
	if r.owner < 0 {
		return
	}
	if r.now < r.expiry {
		r.expireSet = true
		r.cal.push(event{r.expiry + int64(r.w.Lag.Draw(r.rng)), kExpire << kindShift})
		return
	}
	r.lose(LostLease)
}

// lose frees the lock from under its owner.
func (r *Runner) lose(what string) {
	i := int(r.owner)
	c := &r.cs[i]
	r.owner, r.freed = -1, -1
	if c.stuck && c.state == holding {
		// Nothing but the lease ends a task that hangs and is not watched.
		c.running = false
		r.out.StuckFor.Add(time.Duration(r.now - c.began))
		c.state, r.ended = hung, r.now
	}
	if c.state == leaving && c.effect < r.now {
		// Only the release is still on its way.
		r.tryLater()
		return
	}
	if c.state == hung {
		r.say(i, "is rid of the lock: the lease ran out", 0)
		if r.now >= c.effect {
			r.finish(i, c)
			c.state = idle
		} else {
			r.stale = append(r.stale, int32(i))
		}
	} else {
		r.out.Lost++
		r.say(i, what, 0)
		r.stale = append(r.stale, int32(i))
	}
	r.tryLater()
}

func (r *Runner) outage() {
	f := &r.w.Fault
	if f.OutageFor > 0 {
		r.say(-1, "the lock service is away for", int64(f.OutageFor))
	} else {
		r.say(-1, "the lock service fails over", 0)
	}
	r.downUntil = r.now + int64(f.OutageFor)
	if f.Forgets && r.owner >= 0 {
		r.lose("is forgotten by the lock service")
	}
}
