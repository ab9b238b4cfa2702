package rollout

import (
	"slices"
	"strings"
)

// mixed are the violations while processes of two kinds live side by side:
// those of each kind and those between the two.
func (p *pair) mixed(a, b Process) []Violation {
	var out []Violation
	add := func(found []Violation) {
		for _, v := range found {
			if by, known := p.allowed[v.ID]; (!known || v.By > by) && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	for _, state := range []Process{a, b} {
		add(violations(state, nil))
		add(standstill(state))
	}
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
