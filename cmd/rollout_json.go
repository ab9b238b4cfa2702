package cmd

import (
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rollout"
)

// rolloutSchema is the JSON form of a rollout.
const rolloutSchema = "lockplan/rollout/v1"

type (
	rolloutDoc struct {
		Schema   string     `json:"schema"`
		Services []routeDoc `json:"services"`
	}
	routeDoc struct {
		Service  string                 `json:"service"`
		Safe     bool                   `json:"safe"`
		Only     *string                `json:"only"`
		Steps    []stepDoc              `json:"steps"`
		Findings []plan.FindingDocument `json:"findings"`
	}
	stepDoc struct {
		Part   string       `json:"part"`
		Change string       `json:"change"`
		From   string       `json:"from"`
		To     string       `json:"to"`
		How    string       `json:"how"` // what it asks of the program beside its values
		Why    string       `json:"why"`
		Settle plan.Seconds `json:"settle_seconds"` // to wait after it, for holds that began before
		Before stateDoc     `json:"before"`
		After  stateDoc     `json:"after"`
	}
	stateDoc struct {
		Locks    []lockDoc    `json:"locks"`
		StopWork plan.Seconds `json:"stop_work_seconds"`
		MaxHold  plan.Seconds `json:"max_hold_seconds"`
		// Patience is the longest wait for the second of two locks.
		Patience *plan.Seconds `json:"second_lock_wait_seconds"`
		Wait     *plan.Seconds `json:"acquire_wait_seconds"`
		Checks   []string      `json:"checks"`
	}
	lockDoc struct {
		Lock     string        `json:"lock"`
		TTL      plan.Seconds  `json:"ttl_seconds"`
		Interval *plan.Seconds `json:"renew_interval_seconds"`
		Call     *plan.Seconds `json:"renew_timeout_seconds"`
		StopWork plan.Seconds  `json:"stop_work_seconds"` // counts from this lock's own acquire or renewal
	}
)

func rolloutDocument(routes []route) rolloutDoc {
	doc := rolloutDoc{Schema: rolloutSchema, Services: []routeDoc{}}
	for _, r := range routes {
		d := routeDoc{Service: r.service, Safe: r.conflict == nil && len(r.first) == 0 && len(r.last) == 0, Steps: []stepDoc{}, Findings: plan.Documents(r.findings())}
		if r.only != "" {
			d.Only = &r.only
		}
		for i, s := range r.steps {
			do, from, to := stepText(s)
			d.Steps = append(d.Steps, stepDoc{string(s.Part), do, from, to, how(s), r.reason(i), plan.Seconds(s.Settle()), stateOf(s.Before), stateOf(s.After)})
		}
		doc.Services = append(doc.Services, d)
	}
	return doc
}

func stateOf(p rollout.Process) stateDoc {
	d := stateDoc{StopWork: plan.Seconds(p.StopWork()), MaxHold: plan.Seconds(p.MaxHold), Checks: checks(p)}
	if p.HasWait {
		wait := plan.Seconds(p.Wait)
		d.Wait = &wait
	}
	if patience, ok := p.Patience(); ok {
		wait := plan.Seconds(patience)
		d.Patience = &wait
	}
	for _, l := range p.Locks {
		row := lockDoc{Lock: l.Name, TTL: plan.Seconds(l.Lease.TTL), StopWork: plan.Seconds(l.StopWork)}
		if l.Lease.Renews() {
			interval, call := plan.Seconds(l.Lease.Interval), plan.Seconds(l.Lease.Call)
			row.Interval, row.Call = &interval, &call
		}
		d.Locks = append(d.Locks, row)
	}
	return d
}
