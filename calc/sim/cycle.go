package sim

import (
	"math/rand/v2"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/portable"
)

// Cycle is one holder that takes a lock nobody else wants, again and again:
// the events that K1 and K2 give formulas for.
type Cycle struct {
	Hold    Source
	Network Source // beside the hold, fixed lease
	// Pauses strike at random while the lock is held: Gap is the held time
	// from one to the next.
	Gap, Pause Source

	Worth    time.Duration // T(1-rho), the lease by the holder's clock
	Interval time.Duration // I; 0 is a fixed lease
	Spacing  time.Duration // r
	Margin   time.Duration // M, renewed lease
	Cap      time.Duration // maximum hold; 0 is none
	// CallFails is the probability that one renewal fails, each on its own.
	CallFails float64
}

// Cycles is what a Cycle counted.
type Cycles struct {
	Acquisitions uint64
	Lost         uint64 // the lease ended while its holder still worked
	Renewals     uint64 // calls, failed ones too
	Held         time.Duration
}

// Add sums two counts.
func (c Cycles) Add(o Cycles) Cycles {
	return Cycles{c.Acquisitions + o.Acquisitions, c.Lost + o.Lost, c.Renewals + o.Renewals, c.Held + o.Held}
}

// Run plays n acquisitions.
func (c *Cycle) Run(n uint64, r *rand.PCG) Cycles {
	if c.Interval == 0 {
		return c.fixed(n, r)
	}
	return c.renewed(n, r)
}

func (c *Cycle) fixed(n uint64, r *rand.PCG) Cycles {
	out := Cycles{Acquisitions: n}
	next := c.Gap.Draw(r) // held time until the next pause
	for range n {
		hold := c.Hold.Draw(r)
		if c.Cap > 0 {
			hold = min(hold, c.Cap)
		}
		total := add(hold, c.Network.Draw(r))
		// Nothing that happens beyond the lease matters any more.
		left := min(hold, c.Worth)
		for next < left {
			left -= next
			total = add(total, c.Pause.Draw(r))
			next = c.Gap.Draw(r)
		}
		next -= left
		if total > c.Worth {
			out.Lost++
		}
		out.Held += min(hold, c.Worth)
	}
	return out
}

func (c *Cycle) renewed(n uint64, r *rand.PCG) Cycles {
	out := Cycles{Acquisitions: n}
	next := c.Gap.Draw(r)
	good := c.untilFailure(r)
	survives := c.failuresSurvived()
	for range n {
		hold := c.Hold.Draw(r)
		if c.Cap > 0 {
			hold = min(hold, c.Cap)
		}
		calls := uint64(hold / c.Interval)
		if hold < next && calls < good {
			// Most holds: no pause, no failure.
			next -= hold
			good -= calls
			out.Renewals += calls
			out.Held += hold
			continue
		}
		lost := false
		at := time.Duration(0)                       // held time
		renewed, due := time.Duration(0), c.Interval // the last confirmed and the next renewal
		failed := int64(0)
		for !lost {
			stop := at + min(next, dist.Inf-at)
			if hold <= min(stop, due) {
				next -= hold - at
				at = hold
				break
			}
			if stop <= due {
				// A pause holds no work: the clock of the renewals runs on beside
				// that of the hold, and what falls due in it comes at its end.
				at = stop
				length := c.Pause.Draw(r)
				if length > c.Worth-(at-renewed)-c.Margin {
					lost = true
				} else {
					renewed -= length
					due = max(at, due-length)
				}
				next = c.Gap.Draw(r)
				continue
			}
			// Renewals that nothing disturbs, up to the hold's end, the next
			// pause or the next failure.
			calm := uint64((min(hold, stop)-1-due)/c.Interval) + 1
			if calm = min(calm, good-1); calm > 0 {
				renewed = due + time.Duration(calm-1)*c.Interval
				out.Renewals += calm
				good -= calm
				next -= renewed - at
				at, due, failed = renewed, renewed+c.Interval, 0
				continue
			}
			next -= due - at
			at = due
			out.Renewals++
			failed++
			if failed > survives {
				lost = true
			}
			due = at + c.Spacing
			good = c.untilFailure(r)
		}
		if lost {
			out.Lost++
		}
		out.Held += at
	}
	return out
}

// untilFailure draws how many renewals from now the next one fails, itself
// counted: 1 is the very next.
func (c *Cycle) untilFailure(r *rand.PCG) uint64 {
	const never = 1 << 62
	switch {
	case c.CallFails <= 0:
		return never
	case c.CallFails >= 1:
		return 1
	}
	// A geometric count is an exponential time in whole parts.
	e := float64(Exponential(1<<50).Draw(r)) / (1 << 50)
	return 1 + min(never, uint64(e/-portable.Log(1-c.CallFails)))
}

// failuresSurvived is how many failures in a row leave an attempt that still
// lands in time.
func (c *Cycle) failuresSurvived() int64 {
	slack := c.Worth - c.Interval - c.Margin
	if slack < 0 {
		return -1
	}
	return int64(slack / max(c.Spacing, 1))
}

// add is a + b, or never.
func add(a, b time.Duration) time.Duration {
	if a > dist.Inf-b {
		return dist.Inf
	}
	return a + b
}
