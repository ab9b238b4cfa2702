package workload

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// Misfit is LP120 for a service whose hold lies outside of the profile's
// range at the same percentile.
func (p Profile) Misfit(in calc.Inputs) []finding.Finding {
	if !in.Hold.Finite() || in.Percentile != p.Fits.Percentile {
		return nil
	}
	limit := p.Fits.To
	side := "above"
	switch {
	case in.Hold.Value < p.Fits.From:
		limit, side = p.Fits.From, "below"
	case in.Hold.Value <= p.Fits.To:
		return nil
	}
	return []finding.Finding{{ID: "LP120", Severity: finding.Warning,
		Message: "a hold of " + dur.Format(in.Hold.Value) + " is " + side + " the range of profile " + p.Name + ", " +
			dur.Format(p.Fits.From) + " to " + dur.Format(p.Fits.To),
		Fix:   "another --profile, or inputs of its own: lockplan profile list",
		Value: finding.Of(in.Hold.Value), Limit: finding.Of(limit), File: in.Hold.File, Line: in.Hold.Line}}
}
