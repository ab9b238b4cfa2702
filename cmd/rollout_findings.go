package cmd

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rollout"
	"github.com/lockplan/lockplan/calc/rule"
)

// findings are LP401 where no order is safe, where the new state is unsafe by
// itself, and, as a warning, where the old one is.
func (r route) findings() []finding.Finding {
	var out []finding.Finding
	if r.conflict != nil {
		out = append(out, r.conflictFinding())
	}
	if len(r.last) > 0 {
		out = append(out, rule.RolloutUnsafeEnd(r.place, shown(r.service), broken(r.last),
			"a new plan that keeps these rules; a fact that shrank counts at its old value until the old plan has the new one too"))
	}
	if len(r.first) > 0 {
		out = append(out, rule.RolloutUnsafeStart(r.place, shown(r.service), r.until(), broken(r.first),
			"roll out soon: no mixed state breaks them by more"))
	}
	return out
}

// until says after which step no state breaks a rule any more; nothing where
// none of the steps leads there.
func (r route) until() string {
	if r.conflict != nil || len(r.last) > 0 {
		return ""
	}
	for i, s := range r.steps {
		rest := r.steps[i+1:]
		if len(s.After.Violations()) == 0 && !slices.ContainsFunc(rest, func(s rollout.Step) bool { return len(s.After.Violations()) > 0 }) {
			return " until step " + strconv.Itoa(i+1) + " is done everywhere"
		}
	}
	return ""
}

// broken names the rules that are broken, and how.
func broken(all []rollout.Violation) string {
	var out []string
	for _, v := range all {
		out = append(out, v.ID+": "+v.Text)
	}
	return strings.Join(out, "; ")
}

// conflictFinding is LP401 where no order is safe.
func (r route) conflictFinding() finding.Finding {
	var wrong []string
	for _, v := range r.conflict.Violations {
		wrong = append(wrong, v.Text)
	}
	c := r.conflict
	text := "beside each other, " + stateText(c.Before) + " and " + stateText(c.After) + " conflict: " + strings.Join(wrong, "; ")
	longest := time.Duration(0)
	for _, l := range c.Before.Locks {
		longest = max(longest, l.Library.FreeMax(l.Lease.TTL))
	}
	return rule.RolloutUnsafe(r.place, shown(r.service), text,
		"a plan in between that agrees with both; or stop every old process, wait "+dur.Format(longest)+" for the last lease, and start the new ones")
}

// stateText is a state in one line.
func stateText(p rollout.Process) string {
	var locks []string
	for _, l := range p.Locks {
		text := l.Name + " " + dur.Format(l.Lease.TTL)
		if l.Lease.Renews() {
			text += " renewed every " + dur.Format(l.Lease.Interval)
		}
		locks = append(locks, text)
	}
	text := "[" + strings.Join(locks, " and ") + ", work until " + dur.Format(p.StopWork())
	if p.HasWait {
		text += ", wait " + dur.Format(p.Wait)
	}
	return text + "]"
}
