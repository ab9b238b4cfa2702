package sim

import "time"

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
			r.out.Wait.Add(time.Duration(r.now - c.wanted))
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
