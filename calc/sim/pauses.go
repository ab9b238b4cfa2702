package sim

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
