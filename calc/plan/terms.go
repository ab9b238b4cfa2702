package plan

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
)

// Term is one summand of T_min, or an input beside it.
type Term struct {
	Name    string
	Formula string // id of the formula it enters
	Bound   calc.Bound
	// Summed is false for a value that is shown but does not enter T_min: the
	// hold of a renewed lease (R3), and what a library makes a TTL longer for.
	Summed bool
}

// terms are hold, pause, margin, then what the mode adds. The summed ones add
// up to T_min exactly. Last comes what the library makes the TTL longer for.
func terms(in calc.Inputs, s calc.Solution, got *Expressed) []Term {
	fixed := s.Mode == calc.Fixed
	formula := "F1"
	if !fixed {
		formula = "R1"
	}
	var out []Term
	if in.Hold.Known {
		hold := Term{Name: "hold", Formula: formula, Bound: in.Hold, Summed: fixed}
		if !fixed {
			hold.Formula = "H1"
		}
		out = append(out, hold)
	}
	pause := Term{Name: "pause", Formula: formula, Bound: in.Pause, Summed: true}
	if fixed && in.PauseIncluded && s.HasMin {
		// B7: only what the median hold plus a pause exceeds the hold by.
		pause.Bound = calc.Compute(max(0, in.HoldP50.Value+in.Pause.Value-in.Hold.Value),
			"what hold P50 + pause exceeds the hold by (--pause-included)")
	}
	out = append(out, pause, Term{Name: "margin", Formula: formula, Bound: in.Margin, Summed: true})
	if !s.HasMin {
		return out
	}
	if !fixed {
		l := calc.RenewedLease(in, s.TTLMin)
		call := "Tr: the margin, at most half the interval"
		if l.Call > in.Margin.Value {
			call = "Tr: the shortest whole call of " + in.Library.Name()
		}
		out = append(out,
			Term{Name: "renew call", Formula: "R2", Bound: calc.Compute(l.Call, call), Summed: true},
			Term{Name: "renew interval", Formula: "R1", Bound: calc.Compute(l.Interval, "I = T/n, n = "+in.Ratio.String()), Summed: true},
		)
		if late := l.Due(in.Env()) - l.Interval; late > 0 {
			why := "the interval begins when the call before ended"
			if l.Late == late {
				why = "the library's timer has steps of " + dur.Format(late)
			}
			out = append(out, Term{Name: "timer's start", Formula: "R1", Bound: calc.Compute(late, why), Summed: true})
		}
		if in.Failures > 0 {
			spacing := "one interval each"
			if l.Spacing != l.Interval {
				spacing = "one call and the wait after it each"
			}
			out = append(out, Term{Name: "failed renewals", Formula: "R1", Summed: true,
				Bound: calc.Compute(time.Duration(in.Failures)*l.Spacing, "k = "+strconv.Itoa(in.Failures)+", "+spacing)})
		}
	}
	var total time.Duration
	for _, t := range out {
		if t.Summed {
			total += t.Bound.Value
		}
	}
	if rest := s.TTLMin - total; rest > 0 {
		name, source := "rounding", "to whole units, and the floors of R2"
		if in.Drift > 0 {
			name, source = "drift", "a clock-rate error of "+in.Drift.String()
		}
		out = append(out, Term{Name: name, Formula: formula, Bound: calc.Compute(rest, source), Summed: true})
	}
	switch {
	case got != nil && got.Why != "":
		out = append(out, Term{Name: "library's TTL", Formula: "L2", Bound: calc.Compute(got.TTL, ttlWhy(in, s, got))})
	case s.CallWhy != "":
		out = append(out, Term{Name: "library's call", Formula: "R2", Bound: calc.Compute(s.Lease.Call, s.CallWhy)})
	}
	return out
}
