package input

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/profiles/source"
)

// pauses fills P with the longest stop seen (B8).
func (r *resolver) pauses() {
	q, chosen := value[float64](r, "pause-percentile")
	o, given := r.observe(Pauses, source.Pause)
	if r.err != nil || !given {
		if chosen && r.err == nil {
			r.err = fault.Usagef("--pause-percentile chooses among the stops of --pauses, and none are given").Hintf("--pauses gc.log")
		}
		return
	}
	in := &r.got.Inputs
	in.Pause = calc.Bound{Known: true, Kind: calc.Observed, Source: o.name + ", the longest", File: o.place.File, Line: o.place.Line}
	switch {
	case o.dist == nil || o.dist.Count() == 0:
		r.longestClaim(o)
		return
	case chosen:
		what := spell.Percentile(q) + " of the stops"
		iv, enough := o.dist.UpperBound(q, r.confidence())
		if !enough { // the longest stands in
			iv = o.dist.Max()
			in.Pause.Longest = true
			thin := rule.Thin(o.place, what, o.dist.Count(), dist.SamplesNeeded(q, r.confidence()), r.confidence(), finding.Warning)
			thin.Fix = "observe for longer; the longest stop counts until then"
			r.got.Findings = append(r.got.Findings, thin)
		} else {
			in.Pause.Source = o.name + ", " + what
		}
		in.Pause.Value, in.Pause.Unbounded = finite(iv.Upper)
		if longest := o.dist.Max().Upper; iv.Upper < longest {
			r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP208.ID, Severity: finding.Warning,
				Message: "the pause budget of " + boundText(in.Pause) + " is a bound of " + what + "; the longest was " + durText(longest) + " and is not survived",
				Fix:     "leave --pause-percentile out", File: o.place.File, Line: o.place.Line})
		}
	default:
		in.Pause.Longest = true
		iv := o.dist.Max()
		if o.max != nil && o.max.Upper < iv.Upper {
			iv = *o.max
		}
		in.Pause.Value, in.Pause.Unbounded = finite(iv.Upper)
	}
	r.got.Pauses, r.got.PauseWindow = o.dist, o.window
	in.Pause.Samples, in.Pause.Confidence = o.dist.Count(), r.confidence()
	if in.Pause.Unbounded {
		edge, above := lastEdge(o.dist)
		r.got.Findings = append(r.got.Findings, rule.Unbounded(o.place, "the longest stop of "+o.what, edge, above, o.dist.Count(), ""))
	}
}

// longestClaim takes the largest percentile of a summary, which bounds the
// longest stop only where it is the maximum itself.
func (r *resolver) longestClaim(o observation) {
	in := &r.got.Inputs
	if n := len(o.claims); n > 0 && o.claims[n-1].Q == 1 {
		in.Pause.Value, in.Pause.Kind = o.claims[n-1].Value, calc.Claimed
		return
	}
	in.Pause.Unbounded = true
	if !o.broken {
		r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP202.ID, Severity: finding.Error, File: o.place.File, Line: o.place.Line,
			Message: o.what + " does not say what the longest stop was", Fix: "a log of single stops, such as gc.log, or --pause 1.5s"})
	}
}

// finite splits an upper edge into a value and whether it is open.
func finite(upper time.Duration) (time.Duration, bool) {
	if upper == dist.Inf {
		return 0, true
	}
	return upper, false
}

func boundText(b calc.Bound) string {
	if b.Unbounded {
		return "no finite value"
	}
	return dur.Format(b.Value)
}

func durText(upper time.Duration) string {
	if upper == dist.Inf {
		return "above every bucket"
	}
	return dur.Format(upper)
}
