package sim

import "time"

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
