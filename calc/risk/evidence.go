// Package risk says how often a lease is lost while its holder still works
// (section 10 of the model), from what is known of holds, pauses and the
// network.
package risk

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
)

// Evidence is what is known beyond the bounds that a plan is made of.
type Evidence struct {
	Hold   *dist.Dist        // observed; nil when only claims are there
	Claims []dist.Percentile // of the hold, where it was not observed
	Pauses *dist.Dist        // observed; nil when there is only a budget
	Window time.Duration     // in which the pauses were seen; 0 is not known
	RTTs   *dist.Dist        // observed round trips
	// Confidence is one-sided.
	Confidence float64
}

// Risk is the figure of one lease.
type Risk struct {
	dist.Figure
	Known bool
	// Basis says what the figure rests on where that is not all observed, or
	// why there is none.
	Basis string
}

// Reckoner finds the risk of leases of one service. It is not safe for
// concurrent use.
type Reckoner struct {
	in    calc.Inputs
	e     Evidence
	least time.Duration
	most  time.Duration
	fixed *dist.FixedRisk
}

// New prepares the risks of leases with a TTL from least to most. The inputs
// must be resolved.
func New(in calc.Inputs, e Evidence, least, most time.Duration) *Reckoner {
	if e.Confidence == 0 {
		e.Confidence = calc.DefaultConfidence
	}
	return &Reckoner{in: in, e: e, least: least, most: most}
}

// HoldBand is the law of the hold, and whether anything is known of it.
func (e Evidence) HoldBand() (band dist.Band, known bool) {
	switch {
	case e.Hold != nil && e.Hold.Count() > 0:
		return dist.BandOf(e.Hold), true
	case len(e.Claims) > 0:
		return dist.ClaimBand(e.Claims), true
	}
	return dist.Band{}, false
}

// Rate is pauses per second, and whether it is known.
func (e Evidence) Rate() (perSecond float64, known bool) {
	if e.Pauses == nil || e.Window <= 0 {
		return 0, false
	}
	return float64(e.Pauses.Count()) / e.Window.Seconds(), true
}

// NetworkBand is the law of one call as the margin has it: observed round
// trips with jitter and scheduler on top, or the margin itself.
func (e Evidence) NetworkBand(in calc.Inputs) dist.Band {
	if e.RTTs != nil && e.RTTs.Count() > 0 && in.RTT.Known {
		return dist.BandOf(e.RTTs).Shift(in.Jitter.Value + in.Sched.Value)
	}
	return dist.Point(in.Margin.Value)
}

// Lease is the figure for a lease and the maximum hold it goes with.
func (r *Reckoner) Lease(l calc.Lease, maxHold time.Duration) Risk {
	if l.Renews() {
		return r.renewed(l, maxHold)
	}
	return r.fixedLease(l)
}

func (r *Reckoner) fixedLease(l calc.Lease) Risk {
	hold, known := r.e.HoldBand()
	if !known {
		return Risk{Basis: "nothing is known of the hold"}
	}
	basis := ""
	if r.fixed == nil {
		parts := dist.Parts{Hold: hold, Network: r.e.NetworkBand(r.in)}
		if !r.in.PauseIncluded {
			if rate, known := r.e.Rate(); known {
				parts.Pauses = dist.Pauses{Rate: rate, Length: dist.BandOf(r.e.Pauses)}
			} else {
				// How often is not known: each hold meets one.
				parts.Network = parts.Network.Shift(r.in.Pause.Value)
			}
		}
		worth := func(ttl time.Duration) time.Duration { return max(1, calc.Lease{TTL: ttl}.Worth(r.in.Drift)) }
		r.fixed = dist.NewFixedRisk(parts, worth(r.least), worth(r.most), r.e.Confidence)
	}
	if _, known := r.e.Rate(); !known && !r.in.PauseIncluded && r.in.Pause.Value > 0 {
		basis = "as if every hold met a full pause"
	}
	f := r.fixed.At(max(1, l.Worth(r.in.Drift)))
	return Risk{Figure: f, Known: true, Basis: join(basis, f)}
}

func (r *Reckoner) renewed(l calc.Lease, maxHold time.Duration) Risk {
	rate, known := r.e.Rate()
	if !known {
		why := "how often the process stops is not known: --pauses"
		if r.e.Pauses != nil {
			why = "how often the process stops is not known: --pauses does not say over which time, as a log of a single stop"
		}
		return Risk{Basis: why}
	}
	hold, known := r.e.HoldBand()
	basis := ""
	if !known {
		hold, basis = dist.Point(maxHold), "as if every hold were the longest allowed"
	}
	stops := []dist.Pauses{{Rate: rate, Length: dist.BandOf(r.e.Pauses)}}
	timing := dist.Renewal{Worth: l.Worth(r.in.Drift), Interval: l.Interval, Call: l.Due(r.in.Env()) - l.Interval, Margin: r.in.Margin.Value}
	f := timing.Risk(stops, hold.Cap(maxHold), r.e.Confidence)
	return Risk{Figure: f, Known: true, Basis: join(basis, f)}
}

// join adds what the figure itself says of its basis.
func join(basis string, f dist.Figure) string {
	more := f.Wide
	if f.Extrapolated {
		more = "extrapolated from percentiles"
	}
	if basis == "" || more == "" {
		return basis + more
	}
	return basis + "; " + more
}

// Covered is the share of holds that a lease leaves room for, from below and
// from above; a renewed lease covers every hold up to its maximum.
func (r *Reckoner) Covered(limit time.Duration) (low, high float64, known bool) {
	hold, known := r.e.HoldBand()
	if !known {
		return 0, 0, false
	}
	return 1 - hold.Hi.Exceeds(limit), 1 - hold.Lo.Exceeds(limit), true
}
