package cmd

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rollout"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// side is a service of one of the two plans.
type side struct {
	rollout.Side
	name  string
	place rule.Place
}

// readSides reads a plan file, or plans written as JSON.
func (a *app) readSides(path string, services []string) ([]side, error) {
	text, err := a.readWhole(path)
	if err != nil {
		return nil, err
	}
	var out []side
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		out, err = sidesOfDocument(path, trimmed)
	} else {
		out, err = a.sidesOfFile(path, text)
	}
	if err != nil || len(services) == 0 {
		return out, err
	}
	out = slices.DeleteFunc(out, func(s side) bool { return !slices.Contains(services, s.name) })
	if len(out) == 0 {
		return nil, fault.Usagef("%s has no service %s", path, strings.Join(services, ", "))
	}
	return out, nil
}

func (a *app) sidesOfFile(path string, text []byte) ([]side, error) {
	file, err := planfile.Read(path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	plans, err := a.planServices(file, nil)
	if err != nil {
		return nil, err
	}
	var out []side
	for i, p := range plans {
		if !p.Feasible || !p.Enough() {
			return nil, answer(p)
		}
		s := rollout.Side{In: p.In, Lease: p.Solution.Lease, StopWork: *p.StopWork, MaxHold: *p.MaxHold,
			Wait: configuredWait(p.Acquire.Wait), HasWait: p.Acquire.Known, Attempt: p.Acquire.Attempt}
		if s.Lease.Renews() { // as its library does
			s.Lease = p.In.Renewals(s.Lease.TTL, *p.RenewInterval, *p.RenewTimeout)
		}
		known(&s, p.In.Library)
		out = append(out, side{s, p.In.Service, rule.Place{File: path, Line: file.Services[i].Line}})
	}
	return out, nil
}

// configuredWait is the wait to configure for a planned one: a wait of all that
// the budget leaves is a violation (LP301).
func configuredWait(planned time.Duration) time.Duration {
	return max((planned - 1).Truncate(time.Millisecond), min(planned, time.Millisecond))
}
