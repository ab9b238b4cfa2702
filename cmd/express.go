package cmd

import (
	"errors"
	"slices"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
)

// expressed is a service's plan in a library's keys.
type expressed struct {
	plan plan.Plan
	fit  library.Fitted
}

// express plans a service on a library and writes the plan in its keys; emit
// and compare both ask it, so that one says yes where the other does. Settings
// of the surroundings that nothing fixes are tried from the usual ones on. Its
// error is a verdict with the nearest that would do.
func express(service string, got input.Resolved, lib library.Library, given library.Values) (expressed, error) {
	found, err := tryAll(service, got, lib, given)
	var no verdict
	if !errors.As(err, &no) || no.code != exitNo {
		return found, err
	}
	can := func(in calc.Inputs, given library.Values) (expressed, bool) {
		alt := got
		alt.Inputs = in
		for _, variant := range library.Variants(lib, given) {
			if !solves(in, variant) { // much sooner said than by a plan
				continue
			}
			if found, err := tryOne(service, alt, variant, given); err == nil {
				return found, true
			}
		}
		return expressed{}, false
	}
	if near := nearest(got.Inputs, given, can); near != "" {
		no.hint = near
	} else {
		no.hint = "no single input is enough: another --library, see lockplan library compare"
	}
	return found, no
}

// tryAll tries the variants of a library in turn: the first of which no rule of
// the library's complains, else the first that fits. The refusal is that of the
// one that comes closest: its lease is the first to be taken over.
func tryAll(service string, got input.Resolved, lib library.Library, given library.Values) (found expressed, refusal error) {
	var floor *calc.Solution
	fits := false
	for _, variant := range library.Variants(lib, given) {
		this, err := tryOne(service, got, variant, given)
		if err == nil && this.fit.Complaint() == "" {
			return this, nil
		}
		if err == nil {
			if !fits {
				found, fits = this, true
			}
			continue
		}
		var no verdict
		if !errors.As(err, &no) || no.code != exitNo { // inputs that contradict each other, or too few data
			return this, err
		}
		s := this.plan.Solution
		closer := floor != nil && (s.Solved && !floor.Solved || s.Solved == floor.Solved && (s.HasMax && s.TTLMax > floor.TTLMax || !s.HasMax && s.Lease.TTL < floor.Lease.TTL))
		if floor == nil || closer {
			floor, refusal = &s, err
		}
	}
	if fits {
		return found, nil
	}
	return expressed{}, refusal
}

func tryOne(service string, got input.Resolved, lib library.Library, given library.Values) (expressed, error) {
	got.Inputs.Library, got.Inputs.Service = lib, service
	var e expressed
	var err error
	if e.plan, err = plan.Make(got.Inputs, optionsOf(got, rule.Setup{})); err != nil {
		return e, err
	}
	p := e.plan
	if why := library.WhyNoRenewal(lib, p.In); p.Solution.Mode == calc.Renewed && why != nil {
		return e, verdict{exitNo, prefix(service) + why.Error(), fault.HintOf(why)}
	}
	if err := answer(p); err != nil { // a plan that does not hold is not written
		return e, err
	}
	e.fit, err = library.Fit(lib, library.Wanted{In: p.In, Lease: p.Solution.Lease, Acquire: p.Acquire,
		MaxHold: calc.MaxHold(p.In, p.Solution), Given: given})
	if err != nil {
		return e, verdict{exitNo, prefix(service) + err.Error(), fault.HintOf(err)}
	}
	return e, nil
}

// solves reports whether a library has a lease for the inputs.
func solves(in calc.Inputs, lib library.Library) bool {
	in.Library = lib
	in, err := in.Resolve()
	return err == nil && calc.Solve(in).Solved
}

// without is given with one key taken out.
func without(given library.Values, key string) library.Values {
	out := library.Values{}
	for k, v := range given {
		if k != key {
			out[k] = v
		}
	}
	return out
}

// typedKeys are the keys that --set gives, sorted.
func typedKeys(given library.Values) []string {
	var out []string
	for k, v := range given {
		if v.File == "" {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
