package cmd

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
)

// baseline is what an earlier run found, by target or service: a document of
// check, plan or ttl.
type baseline struct {
	Targets []struct {
		Name         string              `json:"name"`
		Values       map[string]string   `json:"values"`
		Consequences consequenceDocument `json:"consequences"`
	} `json:"targets"`
	planDocuments
}

// compareBaseline adds what got worse since the baseline (LP406).
func (a *app) compareBaseline(path string, targets []target) error {
	data, err := a.readWhole(path)
	if err != nil {
		return err
	}
	var b baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return fault.Usagef("%s: no document of lockplan: %w", path, err).Hintf("lockplan check … -o json > %s", path)
	}
	before, err := b.figures(path)
	if err != nil {
		return err
	}
	if len(before) == 0 {
		return fault.Usagef("%s knows of no service", path).Hintf("lockplan check … -o json > %s", path)
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if len(before)+len(targets) > 2 && !slices.ContainsFunc(targets, func(t target) bool { return t.name == name }) {
			fmt.Fprintf(a.err, "lockplan: note: %s of %s is not checked any more\n", shown(name), path)
		}
	}
	for i := range targets {
		t := &targets[i]
		name := t.name
		old, ok := before[name]
		if !ok && len(before) == 1 && len(targets) == 1 {
			for only, figures := range before {
				name, old, ok = only, figures, true
			}
		}
		if !ok {
			t.NotChecked = append(t.NotChecked, "LP406 "+rule.LP406.Name+": "+path+" has no "+t.name)
			continue
		}
		if old == (consequenceDocument{TTL: old.TTL}) {
			t.NotChecked = append(t.NotChecked, "LP406 "+rule.LP406.Name+": "+path+" has no figures of "+t.name+": it was infeasible, or lacked data")
			continue
		}
		if l := t.Run.Lease; b.Schema != checkSchema && l.Renews() && l.Call >= l.Interval && old.Call != nil {
			// A plan's call is shorter than its interval. This one is an error
			// (LP108), or ended by a deadline of the library's own.
			old.Call = nil
			t.NotChecked = append(t.NotChecked, "LP406 "+rule.LP406.Name+": one call may outlive its interval here, which no plan's does")
		}
		t.worse(t.changedSince(b.values(name)), t.shownAt(path), old)
	}
	return nil
}

// figures are what a baseline knows of each target or service.
func (b baseline) figures(path string) (map[string]consequenceDocument, error) {
	out := map[string]consequenceDocument{}
	if b.Schema == checkSchema {
		for _, t := range b.Targets {
			out[t.Name] = t.Consequences
		}
		return out, nil
	}
	plans, err := b.plans(path, "lockplan check …")
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		out[p.Service] = consequenceDocument{TTL: p.TTL, Outage: p.OutageSurvived, Pause: p.PauseSurvived,
			TakeoverWorst: p.TakeoverWorst, TakeoverClean: p.TakeoverClean, Call: p.RenewTimeout, Failures: p.RenewFailures}
	}
	return out, nil
}

// shownAt is where a figure of the whole target is shown: at its TTL, else at
// its service, else at the baseline.
func (t *target) shownAt(baseline string) rule.Place {
	switch ttl := t.Run.Setup.TTL; {
	case ttl.File != "":
		return rule.Place{File: ttl.File, Line: ttl.Line}
	case t.place.File != "":
		return t.place
	}
	return rule.Place{File: baseline}
}

// worse compares what must not fall and what must not rise. What was survived
// and is no longer known is worse; a time that is no longer known was not
// compared, which is said.
func (t *target) worse(changed []rule.Place, fallback rule.Place, old consequenceDocument) {
	now, setup := t.Consequences, t.Run.Setup
	for _, each := range []struct {
		what   string
		old    *plan.Seconds
		now    *time.Duration
		rising bool // worse when it rises
		from   calc.Bound
	}{
		{"the worst takeover", old.TakeoverWorst, now.TakeoverWorst, true, setup.TTL},
		{"the takeover after a clean release", old.TakeoverClean, now.TakeoverClean, true, setup.TTL},
		{"the outage survived", old.Outage, now.Outage, false, setup.TTL},
		{"the pause survived", old.Pause, now.Pause, false, setup.TTL},
		{"the hold covered", old.Hold, now.Hold, false, t.Run.MaxHold},
		{"the clock skew survived", old.Skew, now.SkewSurvived, false, setup.TTL},
		{"one call", old.Call, now.Call, true, setup.Command},
		{"the worst time to acquire", old.Acquire, now.AcquireWorst, true, setup.Wait},
		{"the time until a loss is known", old.LossKnown, now.LossKnown, true, setup.TTL},
	} {
		if each.old == nil {
			continue
		}
		before, p := time.Duration(*each.old), shownFor(each.from, changed, fallback)
		switch {
		case each.now == nil && !each.rising && before > 0:
			t.Findings = append(t.Findings, rule.Gone(p, each.what, dur.Format(before)))
		case each.now == nil && each.rising && each.what != "one call":
			t.NotChecked = append(t.NotChecked, "LP406 "+rule.LP406.Name+": "+each.what+" is not known, in the baseline "+dur.Format(before))
		}
		if each.now == nil {
			continue
		}
		after := *each.now
		if each.rising && after > before || !each.rising && after < before {
			t.Findings = append(t.Findings, rule.Worse(p, each.what, before, after))
		}
	}
	switch p := shownFor(setup.TTL, changed, fallback); {
	case old.Failures == nil || *old.Failures <= 0:
	case now.Failures == nil:
		t.Findings = append(t.Findings, rule.Gone(p, "the number of failed renewals survived", strconv.Itoa(*old.Failures)))
	case *now.Failures < *old.Failures:
		t.Findings = append(t.Findings, rule.WorseCount(p, "the number of failed renewals survived", *old.Failures, *now.Failures))
	}
	rule.Sort(t.Findings)
}
