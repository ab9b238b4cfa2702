package cmd

import (
	"encoding/json"
	"io"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
)

// baseline is what an earlier run found, by target or service: a document of
// check, plan or ttl.
type baseline struct {
	Targets []struct {
		Name         string              `json:"name"`
		Consequences consequenceDocument `json:"consequences"`
	} `json:"targets"`
	Plans []plan.Document `json:"plans"`
	plan.Document
}

// compareBaseline adds what got worse since the baseline (LP406).
func (a *app) compareBaseline(path string, targets []target) error {
	r, err := a.open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxConfig))
	if err != nil {
		return fault.Toolf("%s: %w", path, err)
	}
	var b baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return fault.Usagef("%s: no document of lockplan: %w", path, err).Hintf("lockplan check … -o json > %s", path)
	}
	before := map[string]consequenceDocument{}
	for _, t := range b.Targets {
		before[t.Name] = t.Consequences
	}
	for _, p := range append(b.Plans, b.Document) {
		if p.Schema == plan.Schema {
			before[p.Service] = consequenceDocument{TTL: p.TTL, Outage: p.OutageSurvived, Pause: p.PauseSurvived,
				TakeoverWorst: p.TakeoverWorst, TakeoverClean: p.TakeoverClean, Call: p.RenewTimeout, Failures: p.RenewFailures}
		}
	}
	if len(before) == 0 {
		return fault.Usagef("%s: neither a plan nor a check", path).Hintf("lockplan check … -o json > %s", path)
	}
	for i := range targets {
		t := &targets[i]
		old, ok := before[t.name]
		if !ok && len(before) == 1 && len(targets) == 1 {
			for _, only := range before {
				old, ok = only, true
			}
		}
		if !ok {
			t.NotChecked = append(t.NotChecked, "LP406 "+rule.LP406.Name+": "+path+" has no "+t.name)
			continue
		}
		t.worse(t.shownAt(path), old)
	}
	return nil
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

// worse compares what must not fall and what must not rise.
func (t *target) worse(p rule.Place, old consequenceDocument) {
	now := t.Consequences
	for _, each := range []struct {
		what   string
		old    *plan.Seconds
		now    *time.Duration
		rising bool // worse when it rises
	}{
		{"the worst takeover", old.TakeoverWorst, now.TakeoverWorst, true},
		{"the takeover after a clean release", old.TakeoverClean, now.TakeoverClean, true},
		{"the outage survived", old.Outage, now.Outage, false},
		{"the pause survived", old.Pause, now.Pause, false},
		{"the hold covered", old.Hold, now.Hold, false},
		{"one call", old.Call, now.Call, true},
	} {
		if each.old == nil || each.now == nil {
			continue
		}
		before, after := time.Duration(*each.old), *each.now
		if each.rising && after > before || !each.rising && after < before {
			t.Findings = append(t.Findings, rule.Worse(p, each.what, before, after))
		}
	}
	if old.Failures != nil && now.Failures != nil && *now.Failures < *old.Failures {
		t.Findings = append(t.Findings, rule.WorseCount(p, "the number of failed renewals survived", *old.Failures, *now.Failures))
	}
	rule.Sort(t.Findings)
}
