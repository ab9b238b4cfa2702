package rollout

import (
	"fmt"
	"slices"
	"strings"
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

// mixed are the violations while processes of two kinds live side by side:
// those of each kind and those between the two.
func (r *route) mixed(a, b Process) []Violation {
	var out []Violation
	add := func(found []Violation) {
		for _, v := range found {
			if by, known := r.allowed[v.ID]; (!known || v.By > by) && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	add(violations(a, nil))
	add(violations(b, nil))
	add(between(a, b))
	return out
}

// between is how two processes fail to exclude each other: they share no
// lock, or one judges the other's lease by its own shorter TTL.
func between(a, b Process) []Violation {
	shared := false
	var out []Violation
	for _, l := range a.Locks {
		i := slices.IndexFunc(b.Locks, func(other Lock) bool { return other.Name == l.Name })
		if i < 0 {
			continue
		}
		shared = true
		if l.Observed {
			out = append(out, violations(a, &b.Locks[i])...)
			out = append(out, violations(b, &l)...)
		}
	}
	if !shared {
		out = append(out, Violation{ID: "E1", Text: "one holds the lock of " + names(a) + ", the other that of " + names(b) + ": both work at once"})
	}
	return out
}

func names(p Process) string {
	var out []string
	for _, l := range p.Locks {
		out = append(out, l.Name)
	}
	return strings.Join(out, " and ")
}

// violations are the rules that a process breaks with each lock it takes.
// Where waiter is set, the lease is worth no more than that waiter's TTL.
func violations(p Process, waiter *Lock) []Violation {
	var out []Violation
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
		in := p.In
		in.Library = l.Library
		found, _ := rule.Run(rule.Catalogue, p.Case(l))
		for _, f := range found {
			if f.Severity == finding.Error {
				v := Violation{ID: f.ID, Text: f.Message}
				if f.Value != nil && f.Limit != nil {
					v.By = (*f.Value - *f.Limit).Abs()
				}
				out = append(out, v)
			}
		}
	}
	if len(p.Locks) > 1 && p.HasWait && p.Attempts > p.Wait {
		out = append(out, Violation{ID: "A2", By: p.Attempts - p.Wait, Text: fmt.Sprintf("one attempt on each of two locks takes up to %s, and the acquire wait is %s (A2)",
			dur.Format(p.Attempts), dur.Format(p.Wait))})
	}
	return out
}

// Case is the state as the rules of the catalogue see it, with one of its
// locks.
func (p Process) Case(l Lock) *rule.Case {
	in := p.In
	in.Library = l.Library
	c := &rule.Case{In: in, HasLease: true, Lease: l.Lease, MaxHold: calc.Compute(p.MaxHold, "the plan")}
	c.Setup.TTL = calc.Compute(l.Lease.TTL, "the plan")
	c.Setup.StopWork = calc.Compute(p.StopWork, "the plan")
	if l.Lease.Renews() {
		c.Setup.Renew, c.Setup.RenewTimeout = calc.Compute(l.Lease.Interval, "the plan"), calc.Compute(l.Lease.Call, "the plan")
	}
	if p.HasWait {
		c.Setup.Wait = calc.Compute(p.Wait, "the plan")
		c.Acquire = calc.Acquire{Known: true, Wait: p.Wait, Attempt: time.Duration(p.Attempts)}
	}
	return c
}
