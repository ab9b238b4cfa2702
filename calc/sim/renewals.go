package sim

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
	if again := c.tried + c.spacing; !c.confirmed && r.now < again {
		r.tickAt(i, c, again)
		return
	}
	if w.Steady && r.passOver(i, c) {
		return
	}
	r.out.Renewals++
	c.attempt = (c.attempt + 1) & (attemptMask >> 1)
	c.tried, c.spacing, c.confirmed, c.accepted = r.now, int64(w.Spacing), false, false
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
		c.spacing = r.afterFailed()
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

// afterFailed is how long after a call to a service that is away the next one
// is sent.
func (r *Runner) afterFailed() int64 {
	w, n := r.w, r.failed
	r.failed++
	switch f := &w.Fault; {
	case !f.Refuses || n < f.Hang || n > f.Hang+f.Refused:
		return int64(w.Spacing)
	case n == f.Hang:
		return int64(w.Interval + f.OneFailsAfter)
	}
	return int64(w.Interval)
}

// steadyLeft is how many renewals of a steady hold are played at its end.
const steadyLeft = 16

// passOver goes on to the last renewals of a steady hold that has many.
func (r *Runner) passOver(i int, c *client) bool {
	end := c.workAt
	if r.w.MaxHold > 0 {
		end = min(end, c.began+int64(r.w.MaxHold))
	}
	interval := int64(r.w.Interval)
	passed := (end-r.now)/interval - steadyLeft
	if !c.confirmed || !c.running || end == never || passed < steadyLeft {
		return false
	}
	r.out.Renewals += uint64(passed)
	r.say(i, "renews as before, for", passed*interval)
	c.sent += passed * interval
	c.heard += passed * interval
	if r.owner == int32(i) {
		r.expiry += passed * interval
	}
	r.tickAt(i, c, r.now+passed*interval)
	return true
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
