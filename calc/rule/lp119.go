package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP119 is checkpoint.
var LP119 = Rule{
	ID: "LP119", Name: "checkpoint", Severity: finding.Info,
	Condition: "h > T_max - P - M: more than one piece of O2",
	Why: "A long task under one lock is redone from the start after a crash, however quick the takeover. Cut into pieces " +
		"with a checkpoint after each, a successor goes on where the last piece ended.",
	Fix:     "cut the task into the pieces that O2 names and make each piece repeatable",
	Example: Example{Args: []string{"ttl", "--p999", "30m", "--pause", "1.5s", "--rto", "60s"}},
	Needs:   []Need{NeedRTO, NeedHold},
	Check: func(r Rule, c *Case) []finding.Finding {
		s := c.Solution
		if !c.Planned {
			alike := c.In // a library's lag depends on its TTL: the same kind of lease as it runs
			alike.Mode = calc.Fixed
			if c.Lease.Renews() {
				alike.Mode = calc.Renewed
			}
			s = calc.Solve(alike)
		}
		pieces := calc.Checkpoints(c.In, s)
		if pieces <= 1 {
			return nil
		}
		room := calc.Lease{TTL: s.TTLMax}.StopWork(c.In.Env())
		return []finding.Finding{r.found(c.In.Hold, room,
			fmt.Sprintf("a hold of %s is too long for a fixed lease under an RTO of %s: %d checkpoints bring it under",
				dur.Format(c.In.Hold.Value), dur.Format(c.In.RTO.Value), pieces),
			fmt.Sprintf("cut the task into %d pieces of at most %s, each under a lease of its own", pieces, dur.Format(down(room))))}
	},
}
