package input

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/profiles/source"
)

// rtts fills the round trip with the bound of the planning percentile; with
// too few samples the longest one stands in (B8).
func (r *resolver) rtts() {
	o, given := r.observe(RTTs, source.RTT)
	if r.err != nil || !given {
		return
	}
	in := &r.got.Inputs
	if o.dist == nil || o.dist.Count() == 0 {
		r.claimedRTT(o)
		return
	}
	at := r.percentile(o, in.Percentile, calc.Bound{})
	in.RTT = at.bound
	r.got.RTTs = o.dist
	what := spell.Percentile(in.Percentile) + " of " + o.what
	if !at.enough {
		r.got.Findings = append(r.got.Findings,
			rule.Thin(o.place, what, o.dist.Count(), dist.SamplesNeeded(in.Percentile, r.confidence()), r.confidence(), finding.Warning))
	}
	if in.RTT.Unbounded {
		edge, above := lastEdge(o.dist)
		r.got.Findings = append(r.got.Findings, rule.Unbounded(o.place, what, edge, above, o.dist.Count(), ""))
	}
}

func (r *resolver) claimedRTT(o observation) {
	in := &r.got.Inputs
	thin, isThin := r.thinClaims(o)
	for _, c := range o.claims {
		stated := claim{c.Q, calc.Bound{Value: c.Value}, o.requests}
		if r.bounds(stated, in.Percentile) || isThin && c.Q >= in.Percentile && c.Q == o.claims[len(o.claims)-1].Q {
			if isThin { // the longest stands in (B8)
				thin.Severity = finding.Warning
				r.got.Findings = append(r.got.Findings, thin)
			}
			in.RTT = calc.Bound{Value: c.Value, Known: true, Kind: calc.Claimed, Source: o.name + " " + spell.Percentile(c.Q), File: o.place.File, Line: o.place.Line}
			return
		}
	}
	in.RTT = calc.Bound{Known: true, Unbounded: true, Kind: calc.Observed, Source: o.name, File: o.place.File, Line: o.place.Line}
	if !o.broken {
		r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP202.ID, Severity: finding.Error, File: o.place.File, Line: o.place.Line,
			Message: o.what + " does not say what " + spell.Percentile(in.Percentile) + " of the round trip is", Fix: "single round trips, as of ping, or --rtt 20ms"})
	}
}
