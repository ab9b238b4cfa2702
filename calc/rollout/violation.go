package rollout

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// Violation is what is wrong with a state or with two processes side by side.
type Violation struct {
	ID   string // of the rule or the formula
	Text string
	By   time.Duration // how far the value is beyond its limit; 0 where it has none
}

// violations are the rules that a process breaks with each lock it takes.
// Where waiter is set, the lease is worth no more than that waiter's TTL.
func violations(p Process, waiter *Lock) []Violation {
	var out []Violation
	add := func(c *rule.Case) {
		found, _ := rule.Run(rule.Catalogue, c)
		for _, f := range found {
			if f.Severity != finding.Error {
				continue
			}
			v := Violation{ID: f.ID, Text: f.Message}
			if f.Value != nil && f.Limit != nil {
				v.By = (*f.Value - *f.Limit).Abs()
			}
			out = append(out, v)
		}
	}
	for _, l := range p.Locks {
		ttl := l.Lease.TTL
		if waiter != nil {
			if waiter.Name != l.Name {
				continue
			}
			l.Lease.TTL = min(ttl, waiter.Lease.TTL)
		}
		if l.Ranged && (ttl < l.ServerMin || ttl > l.ServerMax) {
			out = append(out, Violation{ID: "granted", By: max(l.ServerMin-ttl, ttl-l.ServerMax),
				Text: fmt.Sprintf("the servers grant %s to %s and cut the lease of %s", dur.Format(l.ServerMin), dur.Format(l.ServerMax), dur.Format(ttl))})
		}
		add(p.setup(l))
		if reach := p.reach(l); !l.Lease.Renews() && p.MaxHold > reach {
			out = append(out, Violation{ID: "H1", By: p.MaxHold - reach, Text: fmt.Sprintf("nothing restarts the stop-work point of a fixed lease: it cuts work off at %s, and the maximum hold is %s (H1)",
				dur.Format(reach), dur.Format(p.MaxHold))})
		}
	}
	return append(out, p.second()...)
}

// setup is the state as the rules of the catalogue see it, with one of its
// locks.
func (p Process) setup(l Lock) *rule.Case {
	in := p.In
	in.Library, in.Drift = l.Library, l.Drift
	if !l.Lease.Renews() { // the mode that is asked for is the plan's, not that of a state
		in.Mode = calc.Fixed
	}
	c := &rule.Case{In: in, HasLease: true, Lease: l.Lease, MaxHold: calc.Compute(p.MaxHold, "the plan")}
	c.Setup.TTL = calc.Compute(l.Lease.TTL, "the plan")
	c.Setup.StopWork = calc.Compute(l.StopWork, "the plan")
	if l.Lease.Renews() {
		c.Setup.Renew, c.Setup.RenewTimeout = calc.Compute(l.Lease.Interval, "the plan"), calc.Compute(l.Lease.Call, "the plan")
	}
	if p.HasWait {
		c.Setup.Wait = calc.Compute(p.Wait, "the plan")
		c.Acquire = calc.Acquire{Known: true, Wait: p.Wait, Attempt: p.Attempts}
	}
	return c
}

// standstill is where work that is longer than the stop-work point of a renewed
// lease would wait at it for the next renewal, each time: R1 by the point that
// the application keeps rather than by the lease.
func standstill(p Process) []Violation {
	var out []Violation
	for _, l := range p.Locks {
		longest := p.MaxHold
		if p.In.Hold.Finite() {
			longest = min(longest, p.In.Hold.Value)
		}
		if !l.Lease.Renews() || longest <= l.StopWork {
			continue
		}
		confirmed := l.Lease.Due(p.In.Env()) + time.Duration(p.In.Failures)*l.Lease.Spacing + l.Lease.Call
		if confirmed > l.StopWork {
			out = append(out, Violation{ID: "R1", By: confirmed - l.StopWork, Text: fmt.Sprintf("a renewal is confirmed up to %s after the last, and work stops at %s (R1)",
				dur.Format(confirmed), dur.Format(l.StopWork))})
		}
	}
	return out
}
