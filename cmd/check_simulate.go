package cmd

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/sim"
	"github.com/lockplan/lockplan/calc/spell"
)

// probe is a consequence that a simulation was asked to confirm.
type probe struct {
	Consequence string        `json:"consequence"`
	Value       *plan.Seconds `json:"value_seconds"`
	// Played is false where a single trial is of more than sim.MostEvents:
	// the consequence is neither confirmed nor denied.
	Played    bool   `json:"played"`
	Confirmed bool   `json:"confirmed"`
	Seen      string `json:"seen"`
}

// probeTrials play each consequence at its value and just beyond.
const probeTrials = 1000

// beyond is how far outside of a bound the loss must appear.
const beyond = 3 * time.Nanosecond

// simulateTarget confirms what a configuration survives by playing it: at the
// outage and the pause survived nothing is lost, just beyond the lease is, and
// no takeover is later than predicted, and a holder that only its library stops
// overlaps by what L1 says. What the library reckons by arithmetic of its own is
// left out.
func simulateTarget(t target) []probe {
	out := []probe{}
	run := t.Run
	if !run.HasLease {
		return out
	}
	in, l, lib := run.In, run.Lease, run.Library
	// A clock that runs ahead by the skew ends the lease early; one that is
	// behind keeps it from the others.
	skew := run.Setup.ClockSkew.Value
	short := l
	short.TTL = max(0, l.TTL-skew)
	p := sim.Plan{Lease: l.AtWorst(), Env: in.Env(), FreeMin: short.TTL, FreeMax: short.TTL, Stop: -1}
	// A renewal is given up after its call's timeout: where that is less than
	// the margin, the lease is lost only that much later.
	slowest, note := in.Env(), ""
	if l.Renews() && l.Call < slowest.Margin {
		note = fmt.Sprintf(" (a call is given up after %s, of a margin of %s)", dur.Format(l.Call), dur.Format(slowest.Margin))
		slowest.Margin = l.Call
	}
	unplayed := func(name string, value *time.Duration) {
		out = append(out, probe{Consequence: name, Value: (*plan.Seconds)(value),
			Seen: fmt.Sprintf("one trial is of more than %s events, the most that is played", spell.Grouped(sim.MostEvents))})
	}
	edge := func(name string, scenario string, value, last time.Duration, at func(time.Duration) sim.Plan) {
		s, _ := sim.Find(scenario)
		more := last + beyond - value
		inside := sim.Run(at(value), s, 1, probeTrials, 1, nil)
		outside := sim.Run(at(value+more), s, 1, probeTrials, 1, nil)
		if inside.TooLong || outside.TooLong {
			unplayed(name, &value)
			return
		}
		out = append(out, probe{name, (*plan.Seconds)(&value), true, inside.Lost == 0 && outside.Lost > 0,
			fmt.Sprintf("%s loses %d of %d leases, %s more loses %d%s", dur.Format(value), inside.Lost, inside.Trials, dur.Format(more), outside.Lost, note)})
	}
	if c := t.Consequences.Outage; c != nil && *c > 0 && run.Survives.Outage == nil && l.Renews() {
		edge("outage survived", "failover", *c, short.OutageSurvived(slowest), func(d time.Duration) sim.Plan { q := p; q.Outage = d; return q })
	}
	if c := t.Consequences.Pause; c != nil && *c > 0 && run.Survives.Pause == nil && (l.Renews() || in.Hold.Finite()) {
		edge("pause survived", "gc-pause", *c, short.PauseSurvived(slowest), func(d time.Duration) sim.Plan { q := p; q.Env.Pause = d; return q })
	}
	if c := t.Consequences.TakeoverWorst; c != nil && (l.Renews() || in.Hold.Finite()) {
		q := p
		q.Lease.TTL = lib.Granted(l.TTL)
		q.FreeMin, q.FreeMax = lib.Granted(l.TTL)+skew, max(lib.Granted(l.TTL), lib.FreeMax(l.TTL))+skew
		s, _ := sim.Find("crash")
		r := sim.Run(q, s, 1, probeTrials, 1, nil)
		if r.TooLong {
			unplayed("takeover after a crash", c)
			return out
		}
		// A renewal that is under way when the holder dies lands half a round
		// trip later, whose odd nanosecond the simulation rounds up.
		out = append(out, probe{"takeover after a crash", (*plan.Seconds)(c), true, r.Takeover.Count() > 0 && r.Takeover.Worst() <= *c+1,
			fmt.Sprintf("%s at worst in %d crashes", dur.Format(r.Takeover.Worst()), r.Takeover.Count())})
	}
	if c := t.Consequences.LossKnown; c != nil && l.Renews() && lib.FreeMin(l.TTL) > skew {
		q := p
		q.FreeMin = lib.FreeMin(l.TTL) - skew
		q.FreeMax = q.FreeMin
		q.Loss = *c + run.Setup.StopTime.Value
		s, _ := sim.Find("unwatched")
		r := sim.Run(q, s, 1, probeTrials, 1, nil)
		if r.TooLong {
			unplayed("holder told", c)
			return out
		}
		predicted := q.LossOverlap(1)
		seen := fmt.Sprintf("a holder that is cut off stops in time, a pause of %s included", dur.Format(q.Env.Pause))
		if r.Overlaps > 0 {
			seen = fmt.Sprintf("a holder that is cut off and watches no stop-work point writes for up to %s after another owned the lock, a pause of %s included; predicted %s",
				dur.Format(r.WorstOverlap), dur.Format(q.Env.Pause), dur.Format(predicted))
		}
		// The pause begins just before the library tells.
		off := predicted - r.WorstOverlap
		out = append(out, probe{"holder told", (*plan.Seconds)(c), true, off >= 0 && off <= 1, seen})
	}
	return out
}

// writeProbes prints what was confirmed.
func (a *app) writeProbes(probes []probe) {
	if len(probes) == 0 {
		a.writeWrapped("simulated: ", "nothing: it needs a lease that renews, or a hold")
		return
	}
	for _, p := range probes {
		word := "confirmed"
		switch {
		case !p.Played:
			word = "not played"
		case !p.Confirmed:
			word = "NOT CONFIRMED"
		}
		a.writeWrapped("simulated: ", fmt.Sprintf("%s %s: %s", p.Consequence, word, p.Seen))
	}
}

// unconfirmed is no when a simulation showed something else than a
// consequence says.
func unconfirmed(targets []target) error {
	for _, t := range targets {
		for _, p := range t.probes {
			if p.Played && !p.Confirmed {
				return verdict{exitNo, fmt.Sprintf("%s: %s is not confirmed by simulation: %s", shown(t.name), p.Consequence, p.Seen), ""}
			}
		}
	}
	return nil
}
