package cmd

import (
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/rollout"
	"github.com/lockplan/lockplan/calc/spell"
)

// checkCommand holds one lock of a state against the rules, as typed. The
// maximum hold is what the lease of this lock allows, so that LP116 sees where
// its stop-work point cuts work off.
func checkCommand(p rollout.Process, lock int) string {
	in, l := p.In, p.Locks[lock]
	args := []string{"lockplan check --ttl " + dur.Format(l.Lease.TTL)}
	add := func(flag string, b calc.Bound) {
		if b.Finite() {
			args = append(args, "--"+flag+" "+dur.Format(b.Value))
		}
	}
	if l.Lease.Renews() {
		args = append(args, "--renew "+dur.Format(l.Lease.Interval), "--renew-timeout "+dur.Format(l.Lease.Call))
		if l.Lease.Spacing != l.Lease.Interval {
			args = append(args, "--renew-backoff "+dur.Format(l.Lease.Spacing-l.Lease.Call))
		}
		args = append(args, "--failures "+strconv.Itoa(in.Failures))
	}
	args = append(args, "--max-hold "+dur.Format(p.Limit(lock)), "--stop-work "+dur.Format(l.StopWork))
	if patience, ok := p.Patience(); ok && lock == 0 && !l.Lease.Renews() {
		args = append(args, "--acquire-spent "+dur.Format(patience))
	}
	if p.HasWait {
		args = append(args, "--wait "+dur.Format(p.Wait))
	}
	if flag, ok := spell.Claim(in.Percentile); ok {
		add(flag, in.Hold)
	}
	if in.PauseIncluded {
		add("p50", in.HoldP50)
		args = append(args, "--pause-included")
	}
	add("pause", in.Pause)
	add("margin", in.Margin)
	add("rto", in.RTO)
	if in.Deadline.Known {
		add("deadline", in.Deadline)
		add("work", in.Work)
		add("reply", in.Reply)
		add("confirm", in.Confirm)
	}
	if l.Drift > 0 {
		args = append(args, "--drift "+l.Drift.String())
	}
	if flag, ok := spell.Claim(in.Percentile); ok && flag != "p999" {
		args = append(args, "--percentile "+strconv.FormatFloat(in.Percentile, 'f', -1, 64))
	}
	return strings.Join(args, " ")
}
