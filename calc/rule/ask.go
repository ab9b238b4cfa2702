package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
)

// TTL is the lease's TTL with the place where it stands.
func (c *Case) TTL() calc.Bound {
	if c.Setup.TTL.Known {
		b := c.Setup.TTL
		b.Value = c.Lease.TTL
		return b
	}
	return calc.Compute(c.Lease.TTL, "the plan")
}

// interval is the renew interval with the place where it stands.
func (c *Case) interval() calc.Bound {
	b := c.Setup.Renew
	b.Value = c.Lease.Interval
	return b
}

// Wait is the acquire wait in question: the configured one, else the plan's;
// of a configuration that says none the most that the deadline leaves.
func (c *Case) Wait() (calc.Bound, bool) {
	if c.Setup.Wait.Known {
		return c.Setup.Wait, true
	}
	if a := c.Acquire; c.Planned {
		return calc.Compute(a.Wait, "the plan"), a.Known && a.Wait > 0
	}
	left, _ := c.budget()
	return calc.Compute(left, "what the deadline leaves"), c.In.Deadline.Known && c.In.Work.Known && left > 0
}

// waitLimit is the configured wait where somebody set it as a limit: one that
// follows from a count of tries, or from the TTL, ends when they do.
func (c *Case) waitLimit() (calc.Bound, bool) {
	wait := c.Setup.Wait
	return wait, wait.Known && wait.Value > 0 && wait.Kind != calc.Assumed && !c.Setup.WaitLeast.Known
}

// surelyWaits is Wait, or what is sure of it where tries end it.
func (c *Case) surelyWaits() (calc.Bound, bool) {
	wait, known := c.Wait()
	if least := c.Setup.WaitLeast; known && least.Known && least.Value < wait.Value {
		return least, true
	}
	return wait, known
}

// FreeMin is the earliest instant at which somebody else can own the lock.
func (c *Case) FreeMin() time.Duration { return c.In.Library.FreeMin(c.Lease.TTL) }

// TakeoverWorst is C5 with C4: where another machine's wall clock judges the
// expiry, its skew comes on top.
func (c *Case) TakeoverWorst() time.Duration {
	worst, _, _ := c.Lease.Takeover(c.In.Library, c.In.Env())
	return plus(worst, c.Setup.ClockSkew.Value)
}

// FailuresTolerated is C1, or the library's own figure.
func (c *Case) FailuresTolerated() int {
	if c.Survives.Failures != nil {
		return *c.Survives.Failures
	}
	return c.worth().FailuresTolerated(c.In.Env())
}

// worth is the lease to its holder: C4 takes the skew off where another
// machine's clock judges the expiry.
func (c *Case) worth() calc.Lease {
	l := c.Lease
	l.TTL = max(0, l.TTL-c.Setup.ClockSkew.Value)
	return l
}

// ttlText is the TTL, and what it is worth where that is less.
func (c *Case) ttlText() string {
	text, worth := dur.Format(c.Lease.TTL), c.worth().TTL
	if worth < c.Lease.TTL {
		text += " (" + dur.Format(worth) + " to its holder)"
	}
	return text
}

// aThird is what to do for a renewal every third of what the lease is worth.
func (c *Case) aThird(advice string) string {
	third := down(c.worth().TTL / 3)
	if third == 0 {
		return "a TTL longer than the skew of " + dur.Format(c.Setup.ClockSkew.Value) + " first"
	}
	return advice + dur.Format(third)
}

// OutageSurvived is C2, or the library's own figure.
func (c *Case) OutageSurvived() time.Duration {
	if c.Survives.Outage != nil {
		return *c.Survives.Outage
	}
	return c.worth().OutageSurvived(c.In.Env())
}

// PauseSurvived is C3, or the library's own figure. Where the hold already
// contains the pauses (B7) a fixed lease has what its median hold leaves.
func (c *Case) PauseSurvived() time.Duration {
	if c.Survives.Pause != nil {
		return *c.Survives.Pause
	}
	env := c.In.Env()
	if c.In.PauseIncluded {
		env.Hold = c.In.HoldP50.Value
	}
	return c.worth().PauseSurvived(env)
}

// budget is A1's D - B - R - C, and how it comes about.
func (c *Case) budget() (left time.Duration, parts string) {
	in := c.In
	return in.Deadline.Value - plus(in.Work.Value, in.Reply.Value, in.Confirm.Value),
		"deadline " + dur.Format(in.Deadline.Value) + " - work " + dur.Format(in.Work.Value) +
			" - reply " + dur.Format(in.Reply.Value) + " - confirm " + dur.Format(in.Confirm.Value)
}

// plus adds non-negative durations; at 292 years it stops growing.
func plus(ds ...time.Duration) time.Duration {
	var total time.Duration
	for _, d := range ds {
		if d > dur.Max-total {
			return dur.Max
		}
		total += d
	}
	return total
}

// times is n·d, in the same way.
func times(n int, d time.Duration) time.Duration {
	if n > 0 && d > dur.Max/time.Duration(n) {
		return dur.Max
	}
	return time.Duration(n) * d
}

// stretched is d by the holder's clock, which may be fast: d / (1 - rho).
func (c *Case) stretched(d time.Duration) time.Duration {
	long := (calc.One - c.In.Drift).Share(d)
	if c.In.Drift > 0 {
		long = plus(long, 1) // Share rounds down
	}
	return long
}

// atLeast is the TTL to write for a lease worth d: d / (1 - rho) and the skew
// (C4), up to whole milliseconds.
func (c *Case) atLeast(d time.Duration) time.Duration {
	return up(plus(c.stretched(d), c.Setup.ClockSkew.Value))
}

// up and down are d in the whole milliseconds that configs are written in,
// on either side; below one millisecond it stays as it is.
func up(d time.Duration) time.Duration {
	if d%time.Millisecond == 0 || d < time.Millisecond {
		return d
	}
	return plus(d-d%time.Millisecond, time.Millisecond)
}

func down(d time.Duration) time.Duration {
	if d < time.Millisecond {
		return d
	}
	return d - d%time.Millisecond
}
