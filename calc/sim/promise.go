package sim

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
)

// promises holds what a scenario showed against what the plan states.
func promises(p *Plan, r *Result) []Promise {
	var out []Promise
	keep := func(kept bool, text, seen string) { out = append(out, Promise{text, kept, seen}) }
	overlap := "none seen"
	if r.Overlaps > 0 {
		overlap = fmt.Sprintf("%d overlaps, the longest %s", r.Overlaps, dur.Format(r.WorstOverlap))
	}
	lost := fmt.Sprintf("%d of %d leases lost", r.Lost, r.Acquired)
	if r.Scenario.Promised {
		keep(r.Overlaps == 0, "never two holders that write", overlap)
	}
	switch r.Scenario.Name {
	case normal.Name, longTail.Name:
		keep(r.Lost == 0, "no lease is lost", lost)
		if p.Lease.Interval > 0 {
			keep(r.Interrupted == 0, "no work is interrupted", fmt.Sprintf("%d times", r.Interrupted))
		}
	case gcPause.Name:
		text := "no lease is lost to a pause of " + dur.Format(times(r.Factor, p.Env.Pause))
		if p.Lease.Interval > 0 {
			text += " after " + renewals(p.Failures)
		}
		keep(r.Lost == 0, text, lost)
	case networkDelay.Name:
		text := "no lease is lost to calls of " + dur.Format(times(r.Factor, p.slowest()))
		if p.Lease.Interval > 0 {
			text += " and " + renewals(p.failures(r.Factor))
		}
		keep(r.Lost == 0, text, lost)
	case failover.Name:
		keep(r.Lost == 0, "no lease is lost to an outage of "+dur.Format(times(r.Factor, p.outage())), lost)
	case stuckTask.Name:
		if p.Lease.Interval > 0 && p.MaxHold > 0 {
			keep(r.StuckFor.Worst() <= p.MaxHold, "a stuck task stops renewing within "+dur.Format(p.MaxHold), dur.Format(r.StuckFor.Worst()))
		}
		takeover(p, r, keep)
	case crash.Name:
		takeover(p, r, keep)
	}
	return out
}

func renewals(n int) string {
	if n == 1 {
		return "1 failed renewal"
	}
	return fmt.Sprintf("%d failed renewals", n)
}

// PredictedTakeover is C5 at a factor of the waiter's delay and the round
// trip.
func (p *Plan) PredictedTakeover(factor float64) time.Duration {
	return p.FreeMax + times(factor, p.Env.Detect) + times(factor, min(p.Env.RTT, p.Env.Margin)) + 1
}

func takeover(p *Plan, r *Result, keep func(bool, string, string)) {
	worst := p.PredictedTakeover(r.Factor)
	seen := "none seen"
	if r.Takeover.Count() > 0 {
		seen = dur.Format(r.Takeover.Worst()) + " at worst"
	}
	keep(r.Takeover.Count() > 0 && r.Takeover.Worst() <= worst, "the lock is taken over within "+dur.Format(worst-1), seen)
	if p.RTO > 0 && r.Factor == 1 {
		keep(r.Takeover.Count() > 0 && r.Takeover.Worst() <= p.RTO, "which is within the RTO of "+dur.Format(p.RTO), seen)
	}
}
