package cmd

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rollout"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
)

// known sets what a side's library is known for.
func known(s *rollout.Side, lib calc.Library) {
	s.Lock, _, _ = strings.Cut(lib.Name(), "@")
	s.Observed = s.Lock == "client-go"
	if real, ok := lib.(library.Library); ok {
		s.Ranged = real.Sheet().Store == "zookeeper"
	}
}

// sidesOfDocument reads what ttl or plan wrote with -o json.
func sidesOfDocument(path string, text []byte) ([]side, error) {
	var list struct {
		Plans []plan.Document `json:"plans"`
		plan.Document
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fault.Usagef("%s: no plan of lockplan: %w", path, err).Hintf("lockplan plan -o json > %s", path)
	}
	plans := list.Plans
	if list.Schema == plan.Schema {
		plans = []plan.Document{list.Document}
	}
	if len(plans) == 0 {
		return nil, fault.Usagef("%s: schema %q is neither %s nor %s", path, list.Schema, plan.Schema, plan.ListSchema).Hintf("lockplan plan -o json > %s", path)
	}
	var out []side
	for _, p := range plans {
		s, err := sideOf(p)
		if err != nil {
			return nil, fault.Usagef("%s: %w", path, err)
		}
		out = append(out, side{s, p.Service, rule.Place{File: path}})
	}
	return out, nil
}

// sideOf takes a plan's numbers out of its document. What the document does
// not hold follows from what it does: the RTO from T_max, the drift from S.
func sideOf(p plan.Document) (rollout.Side, error) {
	if !p.Feasible || p.TTL == nil || p.StopWork == nil || p.MaxHold == nil {
		return rollout.Side{}, fault.Usagef("service %q has no feasible plan", p.Service)
	}
	lib, err := findLibrary(p.Library)
	if err != nil {
		return rollout.Side{}, err
	}
	term := func(name string) calc.Bound {
		i := slices.IndexFunc(p.Terms, func(t plan.TermDocument) bool { return t.Name == name })
		if i < 0 || p.Terms[i].Value == nil {
			return calc.Bound{}
		}
		return calc.Claim(time.Duration(*p.Terms[i].Value), p.Terms[i].Source)
	}
	in := calc.Inputs{Service: p.Service, Library: lib, Mode: calc.Mode(p.Mode), Hold: term("hold"), Pause: term("pause"), Margin: term("margin")}
	s := rollout.Side{Lease: calc.Lease{TTL: time.Duration(*p.TTL)}, StopWork: time.Duration(*p.StopWork), MaxHold: time.Duration(*p.MaxHold)}
	if in.Mode == calc.Renewed {
		if p.RenewInterval == nil || p.RenewTimeout == nil || p.RenewFailures == nil {
			return s, fault.Usagef("service %q is renewed and has no renew interval, timeout or failures", p.Service)
		}
		s.Lease.Interval, s.Lease.Call = time.Duration(*p.RenewInterval), time.Duration(*p.RenewTimeout)
		s.Lease.Spacing = s.Lease.Interval
		if t := lib.Traits(); t.RetryAfter {
			s.Lease.Backoff, s.Lease.Spacing = t.Backoff, s.Lease.Call+t.Backoff
		}
		in.Failures, in.FailuresGiven = max(*p.RenewFailures, 0), true
	}
	if p.TTLMax != nil && p.TakeoverWorst != nil {
		in.RTO = calc.Claim(time.Duration(*p.TTLMax+*p.TakeoverWorst-*p.TTL), "ttl_max_seconds")
	}
	switch spent := s.StopWork + in.Pause.Value + in.Margin.Value; {
	case spent > s.Lease.TTL:
		in.PauseIncluded = true
	case s.Lease.TTL > 0:
		lost := calc.Ratio(float64(s.Lease.TTL-spent) / float64(s.Lease.TTL) * float64(calc.One))
		in.Drift, in.DriftGiven = lost, true
	}
	if in, err = in.Resolve(); err != nil {
		return s, err
	}
	s.In = in
	if p.AcquireWait != nil && p.AttemptTimeout != nil {
		s.Wait, s.HasWait, s.Attempt = configuredWait(time.Duration(*p.AcquireWait)), true, time.Duration(*p.AttemptTimeout)
	}
	known(&s, lib)
	return s, nil
}
