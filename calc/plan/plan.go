// Package plan turns the inputs of one service into a plan: every clock with
// its reason, the terms it adds up from, the findings, and, where there is no
// plan, the cheapest change of each input that gives one.
package plan

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// Plan is the answer for one service. Pointers are nil where the value does
// not apply or is not known.
type Plan struct {
	In       calc.Inputs // resolved
	Solution calc.Solution
	Acquire  calc.Acquire

	Feasible bool
	TTLMin   *time.Duration
	TTLMax   *time.Duration

	TTL             *time.Duration
	TTLWhy          string // what the library makes it longer for; "" where it does not
	AcquireWait     *time.Duration
	AttemptTimeout  *time.Duration
	AcquireAttempts *int
	RenewInterval   *time.Duration
	RenewTimeout    *time.Duration
	RenewFailures   *int
	StopWork        *time.Duration
	MaxHold         *time.Duration
	MaxHoldSource   string
	TakeoverWorst   *time.Duration // nil where nobody says when the lock is asked for again
	TakeoverMean    *time.Duration
	TakeoverClean   *time.Duration
	OutageSurvived  *time.Duration
	PauseSurvived   *time.Duration

	RenewalsPerSecond *float64
	Risk              Risk

	Inputs      []Input
	Terms       []Term
	Findings    []finding.Finding
	Relaxations []Relaxation
}

// Risk is section 10's figure for one acquisition; nil is not known.
type Risk struct {
	FalseExpiry *float64 // the estimate, parts taken as independent
	Upper       *float64 // the upper bound, with sampling error
	// Why says what a missing or extrapolated figure rests on.
	Why string
}

// Input is one input as it was said, and where.
type Input struct {
	Name   string // of the flag, without dashes
	Value  string
	Source string // "--rto", "LOCKPLAN_RTO", "lockplan.yaml:12", "profile inventory", "default"
	Kind   calc.Kind
}

// Options are what a plan needs beside the inputs.
type Options struct {
	Rules    []rule.Rule
	Inputs   []Input           // as they were said, for the record
	Findings []finding.Finding // raised while the inputs were read
	Setup    rule.Setup        // what surrounds the lock, such as the call chain
	// HoldMean gives resolved inputs the mean of holds that are cut at a
	// maximum; nil leaves it as it is.
	HoldMean func(in calc.Inputs, most time.Duration) calc.Inputs
	// Risk gives section 10's figures for a lease; nil leaves them unknown.
	Risk func(calc.Inputs, calc.Lease) Risk
	// Express writes a plan for its library and reads it back (L2); nil where
	// no library is named. Its error says why the library cannot keep the plan.
	Express func(calc.Inputs, calc.Lease, calc.Acquire, calc.Bound) (Expressed, error)
}

// Make plans. The error is a contradiction between inputs (exit 2); an
// infeasible plan and one without enough data are plans.
func Make(raw calc.Inputs, opts Options) (Plan, error) {
	in, err := raw.Resolve()
	if err != nil {
		return Plan{}, err
	}
	p := assess(raw, in, calc.Solve(in), nil, "", opts)
	if opts.Express == nil || !p.Holds() || !p.Enough() {
		return p, nil
	}
	got, err := opts.Express(p.In, p.Solution.Lease, p.Acquire, calc.MaxHold(p.In, p.Solution))
	if err != nil {
		return assess(raw, in, p.Solution, nil, err.Error(), opts), nil
	}
	s := p.Solution
	if got.TTL > s.Lease.TTL {
		if s.Lease.TTL = got.TTL; s.Mode == calc.Renewed {
			s.Lease = calc.RenewedLease(p.In, got.TTL)
		}
	}
	return assess(raw, in, s, &got, "", opts), nil
}

// assess is the plan of a solution: as its library runs it where got says so,
// and none where refused says why the library cannot.
func assess(raw, in calc.Inputs, s calc.Solution, got *Expressed, refused string, opts Options) Plan {
	p := Plan{In: in, Inputs: opts.Inputs, Solution: s, Acquire: calc.SolveAcquire(in, 0)}
	late := p.Acquire.Known && (p.Acquire.Wait <= 0 || in.RTT.Known && p.Acquire.Wait < in.RTT.Value)
	most := calc.Bound{}
	if s.Solved {
		most = calc.MaxHold(in, s)
	}
	if most.Known && opts.HoldMean != nil {
		in = opts.HoldMean(in, most.Value)
		p.In, raw.HoldMean = in, in.HoldMean
	}
	busy := in.Utilisation() >= 1
	p.Feasible = s.Solved && !late && !busy && refused == ""
	if s.HasMin {
		p.TTLMin = &s.TTLMin
	}
	if s.HasMax {
		p.TTLMax = &s.TTLMax
	}
	c := rule.Case{In: in, Planned: true, Solution: s, HasLease: s.Solved && refused == "", Lease: s.Lease, Acquire: p.Acquire, Setup: opts.Setup, MaxHold: most, Refused: refused}
	if p.Feasible {
		p.fill(most)
		if got != nil {
			p.adopt(*got)
		}
		p.TTLWhy = ttlWhy(in, s, got)
		if opts.Risk != nil {
			p.Risk = opts.Risk(in, s.Lease)
		}
		if p.Risk.Upper != nil {
			c.DoubleWrites = *p.Risk.Upper * in.AcquireRate * (24 * time.Hour).Seconds()
		}
	}
	p.Terms = terms(in, s, got)
	found, _ := rule.Run(opts.Rules, &c)
	p.Findings = append(append(p.Findings, opts.Findings...), found...)
	rule.Sort(p.Findings)
	if !p.Feasible && len(s.Lacks) == 0 {
		p.Relaxations = relax(raw, s, late, busy, refused != "", opts)
		p.nameRelaxations(refused != "")
	}
	return p
}

// fill sets the clocks that follow from a lease.
func (p *Plan) fill(maxHold calc.Bound) {
	in, l, env := p.In, p.Solution.Lease, p.In.Env()
	p.TTL = &l.TTL
	if p.Acquire.Known {
		p.AcquireWait, p.AcquireAttempts = &p.Acquire.Wait, &p.Acquire.Attempts
	}
	if p.Acquire.Attempt > 0 {
		p.AttemptTimeout = &p.Acquire.Attempt
	}
	p.StopWork = ptr(calc.StopWork(in, l))
	if maxHold.Known {
		p.MaxHold, p.MaxHoldSource = &maxHold.Value, maxHold.Source
	}
	worst, mean, clean := l.Takeover(in.Library, env)
	if !in.Detect.Unbounded {
		p.TakeoverWorst, p.TakeoverMean, p.TakeoverClean = &worst, &mean, &clean
	}
	if in.Hold.Finite() || l.Renews() {
		p.PauseSurvived = ptr(l.PauseSurvived(env))
	}
	if l.Renews() {
		p.RenewInterval, p.RenewTimeout = &l.Interval, &l.Call
		p.RenewFailures = ptr(l.FailuresTolerated(env))
		p.OutageSurvived = ptr(l.OutageSurvived(env))
		p.RenewalsPerSecond = ptr(l.RenewalsPerSecond(max(in.Holders, 1)))
	}
}

// ttlWhy says what the library makes the TTL longer for.
func ttlWhy(in calc.Inputs, s calc.Solution, got *Expressed) string {
	switch {
	case got != nil && got.Why != "":
		return "the shortest with which " + in.Library.Name() + " keeps the plan (" + got.Why + ")"
	case s.CallWhy != "":
		return "a renew call may take " + dur.Format(s.Lease.Call) + " (" + s.CallWhy + ")"
	}
	return ""
}

// nameRelaxations puts the relaxations where the finding says what to do.
func (p *Plan) nameRelaxations(refused bool) {
	fix := ""
	for _, r := range p.Relaxations {
		switch {
		case r.rule() != rule.LP103.ID && !refused:
			continue
		case fix != "":
			fix += ", or "
		}
		fix += r.Text
	}
	if fix == "" {
		fix = "no single input is enough: change two, such as a longer --rto and fewer --failures"
	}
	for i := range p.Findings {
		if p.Findings[i].ID == rule.LP103.ID {
			p.Findings[i].Fix = fix
		}
	}
}

// Lifts is the first relaxation that lifts the finding of a rule.
func (p *Plan) Lifts(id string) (r Relaxation, found bool) {
	for _, r := range p.Relaxations {
		if r.rule() == id {
			return r, true
		}
	}
	return r, false
}

func ptr[T any](v T) *T { return &v }

// Enough reports whether the data suffice to say yes or no.
func (p Plan) Enough() bool {
	if len(p.Solution.Lacks) > 0 {
		return false
	}
	for _, f := range p.Findings {
		if f.Severity == finding.Error && f.ID >= "LP200" && f.ID < "LP300" {
			return false
		}
	}
	return true
}

// Holds reports whether the plan is feasible and violates no rule.
func (p Plan) Holds() bool {
	worst, any := finding.Worst(p.Findings)
	return p.Feasible && (!any || worst < finding.Error)
}
