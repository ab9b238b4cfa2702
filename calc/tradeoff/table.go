// Package tradeoff shows what each lease TTL costs: how often it is lost to a
// slow holder, and how long a dead one blocks the others (section 11 of the
// model).
package tradeoff

import (
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/risk"
	"github.com/lockplan/lockplan/calc/spell"
)

// Row is one candidate TTL. Pointers are nil where the value does not apply
// or is not known.
type Row struct {
	Lease       calc.Lease
	Names       []string // what gives this TTL: T_min, folk rules
	Recommended bool
	Feasible    bool

	CoveredLow, CoveredHigh *float64 // share of holds that fit
	Risk                    risk.Risk
	PerDay                  *float64 // false expiries a day, by the estimate
	PauseSurvived           time.Duration
	OutageSurvived          *time.Duration
	TakeoverWorst           time.Duration
	TakeoverMean            time.Duration
	RTOSpare                *time.Duration // negative when the RTO is missed
	RenewalsPerSecond       *float64
	CallersBlocked          *float64 // that arrive in one worst takeover (K4)
	BelowMin                *time.Duration
}

// Table is the rows in ascending order of TTL.
type Table struct {
	In       calc.Inputs
	Solution calc.Solution
	Rows     []Row

	evidence risk.Evidence
	reckoner *risk.Reckoner
	limit    time.Duration // longest hold of a renewed lease: of the plan's, in every row
}

// Make computes the table for resolved inputs and their solution, which must
// have a T_min.
func Make(in calc.Inputs, s calc.Solution, e risk.Evidence) *Table {
	candidates := candidates(in, s, e)
	least, most := candidates[0].ttl, candidates[len(candidates)-1].ttl
	t := &Table{In: in, Solution: s, evidence: e, reckoner: risk.New(in, e, least, most)}
	planned := s.Lease
	if !s.Solved {
		planned = t.lease(s.TTLMin)
	}
	t.limit = calc.MaxHold(in, calc.Solution{Mode: s.Mode, Lease: planned}).Value
	for _, c := range candidates {
		row := t.row(c.ttl)
		row.Names = c.names
		row.Recommended = s.Solved && c.ttl == s.Lease.TTL
		t.Rows = append(t.Rows, row)
	}
	t.neverRise()
	return t
}

// neverRise keeps the law that more TTL is lost no more often where the bounds
// of neighbours are unlike by their slack: the shorter lease takes the worse
// figure, so none is bettered.
func (t *Table) neverRise() {
	for i := len(t.Rows) - 2; i >= 0; i-- {
		shorter, longer := &t.Rows[i].Risk, t.Rows[i+1].Risk
		shorter.Upper = max(shorter.Upper, longer.Upper)
		shorter.Estimate = max(shorter.Estimate, longer.Estimate)
		shorter.AnyDependence = max(shorter.AnyDependence, longer.AnyDependence)
		shorter.Sampled = max(shorter.Sampled, longer.Sampled)
		t.perDay(&t.Rows[i])
	}
}

// perDay is K3 of the row's estimate.
func (t *Table) perDay(row *Row) {
	if row.Risk.Known && t.In.AcquireRate > 0 {
		row.PerDay = ptr(row.Risk.Estimate * t.In.AcquireRate * day)
	}
}

// lease is the lease of a TTL in the table's mode.
func (t *Table) lease(ttl time.Duration) calc.Lease {
	if t.Solution.Mode == calc.Renewed {
		return calc.RenewedLease(t.In, ttl)
	}
	return calc.Lease{TTL: ttl}
}

func (t *Table) row(ttl time.Duration) Row {
	in, s, env := t.In, t.Solution, t.In.Env()
	l := t.lease(ttl)
	row := Row{Lease: l, PauseSurvived: l.PauseSurvived(env)}
	row.TakeoverWorst, row.TakeoverMean, _ = l.Takeover(in.Library, env)
	limit := t.limit
	if s.Mode == calc.Fixed {
		limit = calc.StopWork(in, l)
	}
	row.Risk = t.reckoner.Lease(l, limit)
	if low, high, known := t.reckoner.Covered(limit); known {
		row.CoveredLow, row.CoveredHigh = &low, &high
	}
	t.perDay(&row)
	if l.Renews() {
		row.OutageSurvived = ptr(l.OutageSurvived(env))
		row.RenewalsPerSecond = ptr(l.RenewalsPerSecond(max(in.Holders, 1)))
	}
	if in.AcquireRate > 0 {
		row.CallersBlocked = ptr(in.AcquireRate * row.TakeoverWorst.Seconds())
	}
	if in.RTO.Known {
		row.RTOSpare = ptr(in.RTO.Value - row.TakeoverWorst)
	}
	if ttl < s.TTLMin {
		row.BelowMin = ptr(s.TTLMin - ttl)
	}
	row.Feasible = row.BelowMin == nil && (row.RTOSpare == nil || *row.RTOSpare >= 0)
	return row
}

const day = 24 * 60 * 60 // seconds

func ptr[T any](v T) *T { return &v }

type candidate struct {
	ttl   time.Duration
	names []string
}

// nice are the steps of round TTLs within a power of ten.
var nice = []time.Duration{10, 15, 20, 30, 40, 50, 60, 80}

// candidates run from just under T_min to past T_max: round values, the two
// ends, the recommended TTL and the folk rules.
func candidates(in calc.Inputs, s calc.Solution, e risk.Evidence) []candidate {
	names := map[time.Duration][]string{}
	add := func(ttl time.Duration, name string) {
		if quantum := in.Library.Traits().Quantum; quantum > 0 && ttl%quantum != 0 {
			ttl += quantum - ttl%quantum
		}
		if ttl <= 0 {
			return
		}
		if name == "" {
			names[ttl] = append(names[ttl], []string{}...)
		} else {
			names[ttl] = append(names[ttl], name)
		}
	}
	add(s.TTLMin, "T_min")
	least := s.TTLMin
	if quantum := in.Library.Traits().Quantum; quantum > 0 && least%quantum != 0 {
		least += quantum - least%quantum
	}
	low, high := least/2, 3*least
	if s.HasMax && s.TTLMax > 0 {
		// T_max is rounded down, as everything above it misses the RTO.
		top := s.TTLMax
		if quantum := in.Library.Traits().Quantum; quantum > 0 {
			top -= top % quantum
		}
		add(top, "T_max")
		low, high = min(low, top), max(high, top+top/2)
	}
	for p := time.Duration(1); p < high; p *= 10 {
		for _, n := range nice {
			if v := p * n / 10; v >= low && v <= high {
				add(v, "")
			}
		}
	}
	for _, f := range folk(in, e) {
		add(f.ttl, f.names[0])
	}
	if s.Solved {
		add(s.Lease.TTL, "")
	}
	var out []candidate
	for ttl, n := range names {
		out = append(out, candidate{ttl, n})
	}
	slices.SortFunc(out, func(a, b candidate) int {
		if a.ttl < b.ttl {
			return -1
		}
		return 1
	})
	return out
}

// folk are the rules of thumb that people plan by: 30 s as many libraries
// have it, 2 to 3 times the longest hold, 1.5 to 2 times P99.
func folk(in calc.Inputs, e risk.Evidence) []candidate {
	out := []candidate{{30 * time.Second, []string{"common default"}}}
	longest, name := in.Hold, spell.Percentile(in.Percentile)
	if e.Hold != nil {
		if most := e.Hold.Max().Upper; most < time.Duration(1<<62) {
			longest, name = calc.Claim(most, ""), "longest hold"
		}
	}
	for _, c := range e.Claims {
		if c.Q == 1 {
			longest, name = calc.Claim(c.Value, ""), "longest hold"
		}
	}
	if longest.Finite() {
		out = append(out, candidate{2 * longest.Value, []string{"2x " + name}}, candidate{3 * longest.Value, []string{"3x " + name}})
	}
	if p := in.HoldP99; p.Finite() {
		out = append(out, candidate{p.Value + p.Value/2, []string{"1.5x P99"}}, candidate{2 * p.Value, []string{"2x P99"}})
	}
	return out
}

// Curve is n more rows between the first and the last TTL, evenly on a
// logarithmic scale, for charts.
func (t *Table) Curve(n int) []Row {
	low, high := t.Rows[0].Lease.TTL, t.Rows[len(t.Rows)-1].Lease.TTL
	var rows []Row
	steps := logSteps(low, high, n)
	steps[len(steps)-1] = high // not a millisecond less
	for _, ttl := range steps {
		if len(rows) == 0 || ttl > rows[len(rows)-1].Lease.TTL {
			rows = append(rows, t.row(ttl))
		}
	}
	return rows
}
