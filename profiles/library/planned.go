package library

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/plan"
)

// Planned expresses plans on a library as Fit does for emit, so that a plan
// says no where emit does, and promises no more than check finds; nil where
// lib is none that can be emitted.
func Planned(lib calc.Library) func(calc.Inputs, calc.Lease, calc.Acquire, calc.Bound) (plan.Expressed, error) {
	own, ok := lib.(Library)
	if !ok {
		return nil
	}
	return func(in calc.Inputs, lease calc.Lease, acquire calc.Acquire, most calc.Bound) (plan.Expressed, error) {
		fit, err := Fit(own, Wanted{In: in, Lease: lease, Acquire: acquire, MaxHold: most})
		if err != nil {
			return plan.Expressed{}, err
		}
		run, c := fit.Verdict.Run, fit.Verdict.Consequences
		got := plan.Expressed{TTL: max(lease.TTL, run.Lease.TTL), Why: fit.Why, Lease: run.Lease,
			Outage: c.Outage, Pause: c.Pause, Failures: c.Failures, TakeoverWorst: c.TakeoverWorst, TakeoverClean: c.TakeoverClean,
			StopWork: calc.StopWork(run.In, run.Lease)}
		return got, nil
	}
}
