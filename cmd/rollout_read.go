package cmd

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
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
	var list planDocuments
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fault.Usagef("%s: no plan of lockplan: %w", path, err).Hintf("lockplan plan -o json > %s", path)
	}
	plans, err := list.plans(path, "lockplan plan")
	if err != nil {
		return nil, err
	}
	var out []side
	for _, p := range plans {
		if slices.ContainsFunc(out, func(s side) bool { return s.name == p.Service }) {
			return nil, fault.Usagef("%s: service %q is there twice", path, p.Service).Hintf("lockplan plan -o json > %s", path)
		}
		s, err := sideOf(p)
		if err != nil {
			return nil, fault.Usagef("%s: %w", path, err)
		}
		out = append(out, side{s, p.Service, rule.Place{File: path}})
	}
	return out, nil
}

// sane refuses what no plan of lockplan holds: negative times and those that
// no lock waits.
func sane(p plan.Document) error {
	times := map[string]*plan.Seconds{"ttl": p.TTL, "stop_work": p.StopWork, "max_hold": p.MaxHold, "acquire_wait": p.AcquireWait,
		"attempt_timeout": p.AttemptTimeout, "renew_interval": p.RenewInterval, "renew_timeout": p.RenewTimeout, "takeover_worst": p.TakeoverWorst}
	for _, t := range p.Terms {
		times["the term "+t.Name] = t.Value
	}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		if s := times[name]; s != nil && (*s < 0 || time.Duration(*s) > 3650*dur.Day) {
			return fault.Usagef("service %q: %s of %s is out of range", p.Service, name, dur.Format(time.Duration(*s)))
		}
	}
	if p.TTLMax != nil && (*p.TTLMax < -plan.Seconds(3650*dur.Day) || time.Duration(*p.TTLMax) > 3650*dur.Day) {
		return fault.Usagef("service %q: ttl_max is out of range", p.Service)
	}
	if p.RenewFailures != nil && (*p.RenewFailures < -1 || *p.RenewFailures > 1_000_000) {
		return fault.Usagef("service %q: renew_failures_tolerated of %d is out of range", p.Service, *p.RenewFailures)
	}
	if *p.TTL == 0 || p.RenewInterval != nil && *p.RenewInterval == 0 {
		return fault.Usagef("service %q: a TTL or a renew interval of 0", p.Service)
	}
	return nil
}

// pauseIncluded is told by the inputs and the source of the pause, not by a
// stop-work point that only such a plan could have: it could be wrong.
func pauseIncluded(p plan.Document) bool {
	echo := said(p, "pause-included")
	return strings.EqualFold(echo, "yes") || strings.EqualFold(echo, "true") ||
		slices.ContainsFunc(p.Terms, func(t plan.TermDocument) bool {
			return t.Name == "pause" && strings.HasSuffix(t.Source, "(--pause-included)")
		})
}

// said is the value of an input as the document echoes it, "" without one.
func said(p plan.Document, name string) string {
	i := slices.IndexFunc(p.Inputs, func(in plan.InputDocument) bool { return in.Name == name })
	if i < 0 {
		return ""
	}
	return p.Inputs[i].Value
}

// includePauses sets what B7 plans with. Where the median hold is not known the
// pause counts on top of the hold, as without it.
func includePauses(p plan.Document, l calc.Lease, in *calc.Inputs) error {
	if in.Mode == calc.Renewed {
		text := said(p, "p50")
		if text == "" {
			return nil
		}
		median, err := dur.Parse(text)
		if err != nil {
			return fault.Usagef("service %q: the input p50: %w", p.Service, err)
		}
		if median > 3650*dur.Day {
			return fault.Usagef("service %q: the input p50 of %s is out of range", p.Service, dur.Format(median))
		}
		in.PauseIncluded, in.HoldP50 = true, calc.Claim(median, "the input p50")
		return nil
	}
	// The term is what hold P50 + pause exceeds the hold by; the pause itself
	// is what the stop-work point leaves room for.
	in.PauseIncluded = true
	median := in.Hold.Value + in.Pause.Value
	in.Pause.Value = max(in.Pause.Value, l.Worth(in.Drift)-in.Margin.Value-time.Duration(*p.StopWork))
	in.HoldP50 = calc.Compute(max(0, median-in.Pause.Value), "the pause and the stop-work point")
	return nil
}

// driftOf is the clock-rate error that a plan counts with.
func driftOf(p plan.Document) (calc.Ratio, error) {
	for _, t := range p.Terms {
		if text, ok := strings.CutPrefix(t.Source, "a clock-rate error of "); ok && t.Name == "drift" {
			drift, err := calc.ParseRatio(text)
			if err != nil {
				return 0, fault.Usagef("service %q: the term drift: %w", p.Service, err)
			}
			return drift, nil
		}
	}
	return 0, nil
}

// sideOf takes a plan's numbers out of its document. What the document does
// not hold follows from what it does: the RTO from T_max.
func sideOf(p plan.Document) (rollout.Side, error) {
	if !p.Feasible || p.TTL == nil || p.StopWork == nil || p.MaxHold == nil {
		return rollout.Side{}, fault.Usagef("service %q has no feasible plan", p.Service)
	}
	if err := sane(p); err != nil {
		return rollout.Side{}, err
	}
	lib, err := findLibrary(cmp.Or(said(p, "library"), p.Library)) // as typed it has its version
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
		if text := said(p, "retry-after"); text != "" {
			after, err := dur.Parse(text)
			if err != nil {
				return s, fault.Usagef("service %q: the input retry-after: %w", p.Service, err)
			}
			in.Backoff = calc.Claim(after, "retry-after")
		}
		s.Lease = in.Renewals(time.Duration(*p.TTL), time.Duration(*p.RenewInterval), time.Duration(*p.RenewTimeout))
		in.Failures, in.FailuresGiven = max(*p.RenewFailures, 0), true
	}
	if p.TTLMax != nil && p.TakeoverWorst != nil {
		in.RTO = calc.Claim(max(0, time.Duration(*p.TTLMax+*p.TakeoverWorst-*p.TTL)), "ttl_max_seconds")
	}
	if in.Drift, err = driftOf(p); err != nil {
		return s, err
	}
	// What a library takes off by itself is no fact of the clocks.
	in.DriftGiven = in.Drift != lib.Traits().Drift
	if pauseIncluded(p) {
		if err := includePauses(p, s.Lease, &in); err != nil {
			return s, err
		}
	}
	if in, err = in.Resolve(); err != nil {
		return s, err
	}
	s.In = in
	s.Attempt = in.Margin.Value
	if p.AttemptTimeout != nil {
		s.Attempt = time.Duration(*p.AttemptTimeout)
	}
	if p.AcquireWait != nil && p.AttemptTimeout != nil {
		s.Wait, s.HasWait = configuredWait(time.Duration(*p.AcquireWait)), true
	}
	known(&s, lib)
	return s, nil
}
