package dist

import "time"

// Figure is a probability, or a rate where its maker says so, as far as it is
// known.
type Figure struct {
	// Lower and Upper hold between them the figure of independent parts:
	// buckets and rounding move Lower down and Upper up.
	Lower, Upper float64
	// Estimate is Upper, or where percentiles are all that is known an
	// interpolation between them.
	Estimate float64
	// Extrapolated marks an Estimate that rests on such an interpolation.
	Extrapolated bool
	// AnyDependence is never exceeded, whatever ties the parts together.
	AnyDependence float64
	// Sampled is Upper with sampling error: the true figure is below it at the
	// confidence asked for, when the parts are independent.
	Sampled float64
	// Wide says why Upper is more than twice Lower; "" when it is not.
	Wide string
}

// floatGuard covers the rounding of the sums of a figure, each of at most a
// few million positive terms.
const floatGuard = 1e-9

// Resolutions that a figure is refined through: each step of the grid is at
// most 1/parts of its value.
const (
	firstParts = 100
	lastParts  = 400
)

// Pauses are stops that begin at a rate while the lock is held, independent
// of each other.
type Pauses struct {
	Rate   float64 // per second of holding
	Length Band    // Samples is also how many were seen, which the rate's error comes from
}

// Parts are what a fixed lease must outlast.
type Parts struct {
	Hold    Band
	Pauses  Pauses // a rate of 0 is none
	Network Band   // no values is none
}

// FixedRisk finds P(hold + pauses + network > T) for many T (K1). It keeps
// what one T shares with the next and is not safe for concurrent use.
type FixedRisk struct {
	parts       Parts
	least, most time.Duration
	confidence  float64
	models      map[int64]*fixedModel
	many        *fixedModel // of leases with many pauses in them
	narrow      []narrowed
	seen        []seen
}

type seen struct {
	at     time.Duration
	figure Figure
}

// NewFixedRisk prepares figures for every T from least to most. T is the lease
// by the holder's clock, T(1-rho); confidence is one-sided.
func NewFixedRisk(parts Parts, least, most time.Duration, confidence float64) *FixedRisk {
	if parts.Network.Hi.Len() == 0 {
		parts.Network = Point(0)
	}
	return &FixedRisk{parts: parts, least: least, most: most, confidence: confidence, models: map[int64]*fixedModel{}}
}

func (r *FixedRisk) model(parts int64) *fixedModel {
	m := r.models[parts]
	if m == nil {
		m = newFixedModel(r.parts, r.least, r.most, parts, false)
		r.models[parts] = m
	}
	return m
}

// At is the figure for a lease of T between least and most. The grid is
// refined until Upper is within twice Lower or refining no longer helps; not
// where pauses are many, which would cost seconds.
func (r *FixedRisk) At(T time.Duration) Figure {
	if rate := r.parts.Pauses.Rate; rate*T.Seconds() > manyPauses {
		if r.many == nil {
			least := max(r.least, min(r.most, time.Duration(manyPauses/rate*float64(time.Second))))
			r.many = newFixedModel(r.parts, least, r.most, firstParts, true)
		}
		f := r.ordered(T, r.many.figure(T, r.confidence))
		if f.open() {
			f.Wide = "the sum of so many pauses is known to a few percent only"
		}
		return f
	}
	f := r.at(T, firstParts)
	for parts := int64(firstParts * 2); parts <= lastParts && f.open(); parts *= 2 {
		finer := r.at(T, parts)
		gain := finer.Lower > f.Lower*1.02 || finer.Upper < f.Upper*0.98
		f = finer
		if !gain {
			break
		}
	}
	f = r.ordered(T, f)
	if f.open() {
		f.Wide = r.why(T)
	}
	return f
}

// ordered uses what other leases were found to have: a longer lease is lost
// no more often, which figures of unlike grids may not show by themselves.
func (r *FixedRisk) ordered(T time.Duration, f Figure) Figure {
	for _, s := range r.seen {
		if s.at <= T {
			f.Upper = min(f.Upper, s.figure.Upper)
			f.Estimate = min(f.Estimate, s.figure.Estimate)
			f.AnyDependence = min(f.AnyDependence, s.figure.AnyDependence)
			f.Sampled = min(f.Sampled, s.figure.Sampled)
		}
		if s.at >= T {
			f.Lower = max(f.Lower, s.figure.Lower)
		}
	}
	r.seen = append(r.seen, seen{T, f})
	return f
}

// open reports whether the bracket says less than it should.
func (f Figure) open() bool { return f.Upper > 2*f.Lower && f.Upper > 1000*negligible }

func (r *FixedRisk) at(T time.Duration, parts int64) Figure {
	return r.model(parts).figure(T, r.confidence)
}

func (m *fixedModel) figure(T time.Duration, confidence float64) Figure {
	lower := m.lower.exceeds(T)
	upper := m.upper.exceeds(T)
	f := Figure{
		Lower: lower * (1 - floatGuard),
		Upper: min(1, upper*(1+floatGuard)),
	}
	f.Estimate = f.Upper
	if m.middle != nil {
		f.Estimate, f.Extrapolated = min(1, m.middle.exceeds(T)), true
	}
	f.AnyDependence = max(f.Upper, min(1, m.anyDependence(T, upper)*(1+floatGuard)))
	f.Sampled = max(f.Upper, m.sampled(T, confidence))
	return f
}

// why names the part whose own width keeps the bracket open.
func (r *FixedRisk) why(T time.Duration) string {
	if r.parts.Hold.Mid.Len() > 0 {
		return "the hold is known by a few percentiles only"
	}
	best, why := 0.0, "the law has more detail than the finest grid"
	before := r.model(firstParts).lower.exceeds(T)
	for _, n := range r.narrowedParts() {
		if gain := n.model.lower.exceeds(T) - before; gain > best {
			best, why = gain, n.name+" are known to their buckets only: finer buckets narrow it"
		}
	}
	return why
}

// narrowed is the model with one part as if it were known exactly.
type narrowed struct {
	name  string
	model *fixedModel
}

func (r *FixedRisk) narrowedParts() []narrowed {
	exactly := func(b Band) Band { b.Lo = b.Hi; return b }
	p := r.parts
	for _, c := range []struct {
		name  string
		parts Parts
	}{
		{"hold times", Parts{exactly(p.Hold), p.Pauses, p.Network}},
		{"pauses", Parts{p.Hold, Pauses{p.Pauses.Rate, exactly(p.Pauses.Length)}, p.Network}},
		{"round trips", Parts{p.Hold, p.Pauses, exactly(p.Network)}},
	} {
		if len(r.narrow) < 3 {
			r.narrow = append(r.narrow, narrowed{c.name, newFixedModel(c.parts, r.least, r.most, firstParts, false)})
		}
	}
	return r.narrow
}
