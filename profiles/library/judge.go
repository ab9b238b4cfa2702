package library

import (
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// Consequences are what a configuration amounts to; nil does not apply or is
// not known.
type Consequences struct {
	TTL, Interval, Call          *time.Duration
	CallWorst                    *time.Duration // with the client's late timers, where Call is without
	Failures                     *int
	Outage, Pause, Hold          *time.Duration
	FreeMin, FreeMax, LossKnown  *time.Duration
	TakeoverWorst, TakeoverClean *time.Duration
	SkewSurvived, AcquireWorst   *time.Duration
}

// Verdict is the answer of check about one configuration.
type Verdict struct {
	Run          *Running
	Consequences Consequences
	Findings     []finding.Finding
	NotChecked   []string
	// Unknown are values that something else fills in and that the answer
	// depends on: what it says holds whatever they are.
	Unknown []string
}

// Feasible reports whether no rule of at least the severity is violated.
func (v Verdict) Feasible(failOn finding.Severity) bool {
	worst, any := finding.Worst(v.Findings)
	return !any || worst < failOn
}

// Judge reads the configuration by its library's rules and holds it against
// the model: what it survives (C1 to C5) and every rule that applies. Its
// error is a value that cannot be read.
func Judge(run *Running) (Verdict, error) {
	if keys := run.unknown(); len(keys) > 0 {
		return judgeUnknown(run, keys)
	}
	return judgeKnown(run)
}

func judgeKnown(run *Running) (Verdict, error) {
	run.Effective = map[string]string{}
	run.application()
	run.Library.Read(run)
	if run.err != nil {
		return Verdict{}, run.err
	}
	in := run.In
	in.Library = run.Library
	if run.Detect.Known && in.Detect.Kind == calc.Computed {
		in.Detect = run.Detect
	}
	run.In = in
	v := Verdict{Run: run, Consequences: ConsequencesOf(run)}
	c := &rule.Case{
		In: in, HasLease: run.HasLease, Lease: run.Lease, NoRenewer: run.NoRenewer,
		MaxHold: run.MaxHold, Setup: run.Setup, Survives: run.Survives,
	}
	rules := slices.DeleteFunc(slices.Clone(rule.Catalogue), func(r rule.Rule) bool { return slices.Contains(run.Skip, r.ID) })
	v.Findings, v.NotChecked = rule.Run(rules, c)
	if run.Library.Name() != "generic" { // --ttl describes a lock of no library
		for i, line := range v.NotChecked {
			v.NotChecked[i] = strings.Replace(line, rule.NeedLease.Text, "a lease (--set "+keyNames(run.Library.Sheet())[0]+"=VALUE)", 1)
		}
	}
	v.Findings = append(v.Findings, run.Findings...)
	rule.Sort(v.Findings)
	return v, nil
}

// ConsequencesOf are C1 to C5 of the lease, or the library's own arithmetic.
func ConsequencesOf(run *Running) Consequences {
	c := Consequences{SkewSurvived: run.Own.Skew, AcquireWorst: run.Own.Acquire}
	if c.AcquireWorst == nil && run.Setup.Wait.Known && !run.Own.Endless {
		c.AcquireWorst = &run.Setup.Wait.Value
	}
	if run.Setup.Command.Known {
		c.Call = or(run.Own.Call, run.Setup.Command.Value)
		if run.Own.Call != nil {
			c.CallWorst = &run.Setup.Command.Value
		}
	}
	if own := run.Own.Renewal; own != nil {
		worst := max(*own, run.Setup.Command.Value)
		c.CallWorst = &worst
	}
	if !run.HasLease {
		return c
	}
	l, env, lib := run.Lease, run.In.Env(), run.Library
	granted, freeMin, freeMax := lib.Granted(l.TTL), lib.FreeMin(l.TTL), lib.FreeMax(l.TTL)
	c.TTL, c.FreeMin, c.FreeMax = &granted, &freeMin, &freeMax
	if loss, ok := lib.Loss(l.TTL); ok {
		c.LossKnown = &loss
	}
	worst, _, clean := l.Takeover(lib, env)
	skew := run.Setup.ClockSkew.Value // C4: worth T - skew to the holder, T + skew to everybody else
	worst += skew
	l.TTL = max(0, l.TTL-skew)
	freeMin = max(0, freeMin-skew)
	c.TakeoverWorst, c.TakeoverClean = &worst, &clean
	if freeMax == dur.Max { // nothing bounds it
		c.FreeMax, c.TakeoverWorst = nil, nil
	}
	if run.In.Detect.Unbounded { // nobody says when the lock is asked for again
		c.TakeoverWorst, c.TakeoverClean = nil, nil
	}
	freeMax = saturate(freeMax, skew)
	if run.Own.Clean != nil {
		c.TakeoverClean = run.Own.Clean
	}
	if l.Renews() {
		failures, outage := l.FailuresTolerated(env), l.OutageSurvived(env)
		c.Interval, c.Failures, c.Outage = &l.Interval, or(run.Survives.Failures, failures), or(run.Survives.Outage, outage)
		if l.Call > 0 && !run.Own.CallUnknown {
			c.Call = or(run.Own.Call, l.Call)
		}
		c.Pause = or(run.Survives.Pause, max(0, l.PauseSurvived(env)))
		if run.MaxHold.Known {
			c.Hold = &run.MaxHold.Value
		}
		return c
	}
	hold := max(0, l.StopWork(env))
	c.Hold = &hold
	if run.In.Hold.Finite() {
		c.Pause = or(run.Survives.Pause, max(0, l.PauseSurvived(env)))
	}
	return c
}

// TakeoverTerms says what the worst takeover consists of where it is more than
// the lease, its lag, W and the round trip (C5); "" elsewhere.
func (r *Running) TakeoverTerms() string {
	if l, ok := r.Library.(interface{ TakeoverTerms() string }); ok {
		return l.TakeoverTerms()
	}
	return ""
}

func or[T any](own *T, model T) *T {
	if own != nil {
		return own
	}
	return &model
}
