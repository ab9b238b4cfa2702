package input

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/profiles/source"
)

// claimed are the quantiles that the claim keys state, ascending.
var claimed = []struct {
	key string
	q   float64
}{{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"p999", 0.999}, {"p9999", 0.9999}, {"max", 1}}

// hold fills h, its P50, P99 and mean, from files or from claims.
func (r *resolver) hold() {
	o, given := r.observe(Hold, source.Latency)
	for _, c := range claimed[:len(claimed)-1] {
		r.exclude(c.key, Hold)
		if _, ask := r.asked(Hold); ask {
			r.exclude(c.key, "metric")
		}
	}
	if r.err != nil {
		return
	}
	bounds := r.claims()
	if r.err != nil {
		return
	}
	r.got.Inputs.HoldMax = r.bound("max")
	if q := r.got.Inputs.Percentile; q < 0.99 {
		r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP208.ID, Severity: finding.Warning,
			Message: "the hold is planned at " + spell.Percentile(q) + ": up to " + spell.Percent(1-q) + " % of the holds are longer than the plan assumes",
			Fix:     "--percentile 0.999, or leave it out"})
	}
	switch {
	case given && o.dist != nil:
		if r.refuseExceeded(o, bounds); r.err == nil {
			r.holdObserved(o, bounds)
		}
	case given && o.broken:
		in := &r.got.Inputs // an error finding already says why there is no number
		in.Hold = calc.Bound{Known: true, Unbounded: true, Kind: calc.Observed, Source: o.name, File: o.place.File, Line: o.place.Line}
		in.ThinHold = true
	case given:
		if r.refuseExceeded(o, bounds); r.err != nil {
			return
		}
		for _, c := range o.claims {
			bounds = append(bounds, claim{c.Q, calc.Bound{Value: c.Value, Known: true, Kind: calc.Claimed,
				Source: o.name + " " + spell.Percentile(c.Q), File: o.place.File, Line: o.place.Line}, o.requests})
		}
		slices.SortStableFunc(bounds, func(a, b claim) int { return cmp.Compare(a.q, b.q) })
		r.holdClaimed(bounds)
		if thin, ok := r.thinClaims(o); ok {
			if !r.got.Inputs.Hold.Known {
				r.holdUnknown(o, thin)
			} else if r.thinOK() {
				r.got.Findings = append(r.got.Findings, thin)
			}
		} else if !r.got.Inputs.Hold.Known {
			r.holdUnknown(o, finding.Finding{ID: rule.LP202.ID, Severity: r.severity(false), File: o.place.File, Line: o.place.Line,
				Message: o.what + " states percentiles up to " + spell.Percentile(o.claims[len(o.claims)-1].Q) + " only, and a plan needs " + spell.Percentile(r.got.Inputs.Percentile),
				Fix:     "a histogram of the same times, or --percentile " + strconv.FormatFloat(o.claims[len(o.claims)-1].Q, 'f', -1, 64)})
		}
	default:
		r.holdClaimed(bounds)
		r.requireHold(bounds)
	}
}

// holdUnknown is an observation that was read and says nothing of h: an
// answer of its own, not a failure.
func (r *resolver) holdUnknown(o observation, why finding.Finding) {
	in := &r.got.Inputs
	in.Hold = calc.Bound{Known: true, Unbounded: true, Kind: calc.Observed, Source: o.name, File: o.place.File, Line: o.place.Line}
	in.ThinHold = true
	r.got.Findings = append(r.got.Findings, why)
}

// claim is a percentile of the hold that somebody states; n is how many samples
// it is of, 0 where that is not said.
type claim struct {
	q     float64
	bound calc.Bound
	n     uint64
}

// bounds says that a claim is enough to plan the percentile q with: of few
// samples it is no more than single ones would be (B3).
func (r *resolver) bounds(c claim, q float64) bool {
	if c.n == 0 || r.thinOK() {
		return c.q >= q
	}
	return dist.Percentile{Q: c.q, Value: c.bound.Value}.Bounds(c.n, q, r.confidence())
}

// thinClaims is LP202 for percentiles of too few samples.
func (r *resolver) thinClaims(o observation) (finding.Finding, bool) {
	q := r.got.Inputs.Percentile
	need := dist.SamplesNeeded(q, r.confidence())
	if o.requests == 0 || o.requests >= need || len(o.claims) == 0 {
		return finding.Finding{}, false
	}
	return rule.Thin(o.place, spell.Percentile(q)+" of "+o.what, o.requests, need, r.confidence(), r.severity(r.thinOK())), true
}

// thinOK says that too few samples are accepted.
func (r *resolver) thinOK() bool {
	ok, _ := value[bool](r, "allow-thin-data")
	return ok
}

// claims are the percentiles that were typed; they may not fall as q rises.
func (r *resolver) claims() []claim {
	var out []claim
	var last string
	for _, c := range claimed {
		b := r.bound(c.key)
		if !b.Known {
			continue
		}
		if b.Value == 0 && r.err == nil {
			r.err = fault.Usagef("%s: a hold of 0 is no measurement", r.set[c.key].where(c.key)).Hintf("the time from taking the lock to releasing it, such as 800ms")
		}
		if n := len(out); n > 0 && out[n-1].bound.Value > b.Value && r.err == nil {
			r.err = fault.Usagef("%s %s is above %s %s: a higher percentile cannot be shorter",
				r.set[last].where(last), dur.Format(out[n-1].bound.Value), r.set[c.key].where(c.key), dur.Format(b.Value)).
				Hintf("is the unit of --%s or --%s right?", last, c.key)
		}
		out, last = append(out, claim{q: c.q, bound: b}), c.key
	}
	return out
}

// holdClaimed takes each percentile from the nearest claim at or above it: a
// higher percentile bounds a lower one, never the reverse.
func (r *resolver) holdClaimed(claims []claim) {
	in := &r.got.Inputs
	for _, c := range claims {
		p := dist.Percentile{Q: c.q, Value: c.bound.Value}
		if c.n > 0 {
			p = p.OfSamples(c.n, r.confidence())
		}
		r.got.Claims = append(r.got.Claims, p)
	}
	at := func(q float64) calc.Bound {
		for _, c := range claims {
			if r.bounds(c, q) {
				return c.bound
			}
		}
		return calc.Bound{}
	}
	exactly := func(q float64) calc.Bound {
		for _, c := range claims {
			if c.q == q && (c.n == 0 || r.thinOK() || c.n >= dist.SamplesNeeded(q, r.confidence())) {
				return c.bound
			}
		}
		return calc.Bound{}
	}
	in.Hold = at(in.Percentile)
	in.HoldP99 = exactly(0.99)
	in.HoldP50 = at(0.5)
	if n := len(claims); n > 0 {
		// Beyond a hundred times the last claim nothing counts but the open end.
		band := dist.ClaimBand(r.got.Claims).Cap(100 * min(claims[n-1].bound.Value, dist.Inf/100))
		seconds := func(mean float64) time.Duration { return time.Duration(mean * 1e9) }
		in.HoldMean = calc.Compute(seconds(band.Lo.Mean()), "at least, by the claimed percentiles")
		in.HoldMeanGuess = calc.Compute(seconds(band.Mid.Mean()), "interpolated between the claimed percentiles")
		in.HoldMeanGuess.Kind = calc.Extrapolated
	}
	for _, c := range claims {
		if c.q <= in.Percentile {
			in.HoldAtLeast = c.bound
		}
	}
	if in.PauseIncluded && !exactly(0.5).Known && r.err == nil && in.Hold.Known {
		r.err = fault.Usagef("--pause-included plans with the median hold plus a pause, and no P50 is given").Hintf("--p50 50ms, or --hold FILE")
	}
	for i, c := range claims {
		for _, lower := range claims[:i] {
			what := spell.Percentile(c.q) + " of the hold"
			if f, suspect := rule.UnitPeers(rule.Place{File: c.bound.File, Line: c.bound.Line}, what, c.bound.Value,
				spell.Percentile(lower.q), lower.bound.Value); suspect {
				r.got.Findings = append(r.got.Findings, f)
				return
			}
		}
	}
}

// requireHold refuses inputs that say nothing of the hold a plan needs: the
// planning percentile, or P99 for the maximum hold of a renewed lease.
func (r *resolver) requireHold(claims []claim) {
	in := r.got.Inputs
	if in.Hold.Known || in.Mode == calc.Renewed || r.err != nil || r.out.HoldOptional {
		return // a renewed TTL does not depend on the hold (R3); LP113 asks for a maximum
	}
	if len(claims) == 0 {
		r.err = fault.Usagef("no hold time is given, so there is nothing to plan").Hintf("--p999 800ms, or --hold FILE")
		return
	}
	say := "--hold FILE"
	if key, ok := spell.Claim(in.Percentile); ok {
		say = "--" + key + " 800ms"
	}
	r.err = fault.Usagef("the hold is known up to %s only, and a plan needs %s", spell.Percentile(claims[len(claims)-1].q), spell.Percentile(in.Percentile)).
		Hintf("%s, or --mode renewed, whose TTL does not depend on the hold", say)
}

// holdObserved takes the confidence bound of each percentile (B1, B3); the
// open bucket (B2) is bounded only by a longest hold that is stated.
func (r *resolver) holdObserved(o observation, claims []claim) {
	in := &r.got.Inputs
	if o.dist.Count() == 0 {
		what := spell.Percentile(in.Percentile) + " of " + o.what
		r.holdUnknown(o, rule.Thin(o.place, what, 0, dist.SamplesNeeded(in.Percentile, r.confidence()), r.confidence(), finding.Error))
		return
	}
	r.got.Hold = o.dist
	longest := calc.Bound{}
	if len(claims) > 0 {
		longest = claims[len(claims)-1].bound
	}
	thinOK := r.thinOK()
	at := r.percentile(o, in.Percentile, longest)
	in.Hold = at.bound
	in.HoldP99 = r.percentile(o, 0.99, longest).usable(thinOK)
	in.HoldP50 = r.percentile(o, 0.5, longest).usable(thinOK)
	in.HoldMean = o.meanBound()
	tail, fitted := o.dist.Tail(r.confidence())
	if fitted {
		in.HoldTail = calc.Tail(tail.Verdict)
	}
	if fitted && thinOK && !at.enough {
		// Accepted thin data: what the fit says lies beyond the longest sample
		// counts, never less than that sample.
		if _, upper, ok := tail.Quantile(in.Percentile); ok && upper != dist.Inf && upper > in.Hold.Value {
			in.Hold.Value, in.Hold.Kind, in.Hold.Longest = upper, calc.Extrapolated, false
			in.Hold.Source = o.name + ", beyond its samples by a tail fit"
		}
	}
	in.HoldAtLeast = calc.Bound{Value: o.dist.Quantile(in.Percentile).Lower, Known: true, Kind: calc.Observed,
		Source: o.name, Samples: o.dist.Count(), Confidence: r.confidence(), File: o.place.File, Line: o.place.Line}

	what := spell.Percentile(in.Percentile) + " of " + o.what
	if word := waiting(o.what); word != "" {
		r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP313.ID, Severity: finding.Warning, File: o.place.File, Line: o.place.Line,
			Message: "the hold is read from " + o.what + ", whose name says " + word + ": the time to get the lock is not the time it is held",
			Fix:     "--metric with the hold's own metric"})
	}
	if !at.enough {
		in.ThinHold = !thinOK
		in.Hold.Unbounded = in.Hold.Unbounded || !thinOK
		r.got.Findings = append(r.got.Findings,
			rule.Thin(o.place, what, o.dist.Count(), dist.SamplesNeeded(in.Percentile, r.confidence()), r.confidence(), r.severity(thinOK)))
	} else if at.bound.Unbounded {
		edge, above := lastEdge(o.dist)
		instead := "--mode renewed"
		switch {
		case in.Mode == calc.Renewed && in.MaxHold.Known:
			instead = ""
		case in.Mode == calc.Renewed: // its TTL needs no hold, only its maximum does (H1)
			instead = "--max-hold 2m, the longest hold that is to be allowed"
		}
		f := rule.Unbounded(o.place, what, edge, above, o.dist.Count(), instead)
		f.Severity = r.severity(in.Mode != calc.Fixed && (in.HoldP99.Finite() || in.MaxHold.Known))
		r.got.Findings = append(r.got.Findings, f)
	}
	if at.bound.Finite() && at.bound.Kind == calc.Observed {
		if f, coarse := rule.Coarse(o.place, what, at.lower, at.bound.Value); coarse {
			r.got.Findings = append(r.got.Findings, f)
		}
	}
}

// tellMedian records a P50 that a file gives where the plan counts with it (B7):
// no term of a renewed lease holds it.
func (r *resolver) tellMedian() {
	in := r.got.Inputs
	if _, given := r.set["p50"]; given || !in.PauseIncluded || !in.HoldP50.Finite() {
		return
	}
	r.got.Said = append(r.got.Said, plan.Input{Name: "p50", Value: dur.Format(in.HoldP50.Value), Source: in.HoldP50.Source, Kind: in.HoldP50.Kind})
}

// waiting is the word of a metric's name that says it measures the queue for
// the lock, "" where there is none.
func waiting(name string) string {
	for _, word := range []string{"wait", "acquire", "queue"} {
		if strings.Contains(strings.ToLower(name), word) {
			return word
		}
	}
	return ""
}

// severity is that of a finding about the planning percentile: a warning
// where the user accepts it, and for a renewed lease that has the P99 its
// maximum hold rests on.
func (r *resolver) severity(accepted bool) finding.Severity {
	in := r.got.Inputs
	if accepted || in.Mode == calc.Renewed && (in.HoldP99.Finite() || in.MaxHold.Known) {
		return finding.Warning
	}
	return finding.Error
}

// meanBound is E[H]: the input's own sum over its count where it has one, and
// the upper edges only where it has not.
func (o observation) meanBound() calc.Bound {
	b := calc.Bound{Known: true, Kind: calc.Observed, Source: o.name, Samples: o.dist.Count()}
	switch mean := o.dist.Mean(); {
	case o.mean != nil:
		b.Value = *o.mean
	case mean.Upper != dist.Inf:
		b.Value, b.Source = mean.Upper, o.name+", by the upper edges"
	default:
		return calc.Bound{}
	}
	return b
}

// quantile is a percentile of an observation as a bound.
type quantile struct {
	bound  calc.Bound
	lower  time.Duration
	enough bool // samples for the confidence asked for
}

// usable is the bound, or not known where it rests on too few samples.
func (q quantile) usable(thinOK bool) calc.Bound {
	if !q.enough && !thinOK {
		return calc.Bound{}
	}
	return q.bound
}

// percentile is the upper confidence bound at q; with too few samples it is
// the longest one, marked so. A longest hold that is stated closes the open
// bucket.
func (r *resolver) percentile(o observation, q float64, longest calc.Bound) quantile {
	confidence := r.confidence()
	iv, enough := o.dist.UpperBound(q, confidence)
	if !enough {
		iv = o.dist.Max()
	}
	b := calc.Bound{Value: iv.Upper, Known: true, Kind: calc.Observed, Samples: o.dist.Count(), Confidence: confidence, Longest: !enough,
		Source: o.name, File: o.place.File, Line: o.place.Line}
	if !enough {
		b.Source += ", the longest"
	}
	if iv.Upper == dist.Inf {
		switch {
		case longest.Known:
			b = longest
		case o.max != nil && o.max.Upper != dist.Inf:
			b.Value, b.Source = o.max.Upper, o.name+", its longest sample"
		default:
			b.Value, b.Unbounded = 0, true
		}
	}
	return quantile{b, iv.Lower, enough}
}

func (r *resolver) confidence() float64 {
	if c, given := value[float64](r, "confidence"); given {
		return c
	}
	return calc.DefaultConfidence
}

// lastEdge is the last finite edge and how many samples lie above it.
func lastEdge(d *dist.Dist) (edge time.Duration, above uint64) {
	for b := range d.All() {
		if b.Hi == dist.Inf {
			above += b.Count
			edge = max(edge, b.Lo)
		}
	}
	return edge, above
}
