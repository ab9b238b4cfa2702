package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP103 is infeasible.
var LP103 = Rule{
	ID: "LP103", Name: "infeasible", Severity: finding.Error,
	Condition: "T_min > T_max = RTO - lag - W - rtt, or no T meets R1 and R2 at all",
	Why: "No TTL is long enough to outlast the work and the pauses and short enough to free the lock in time. " +
		"A plan would have to break one of the two promises, so there is none until an input changes.",
	Fix:     "one of the relaxations that the plan lists, each enough on its own",
	Example: Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s", "--margin", "700ms", "--rto", "2s"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		s := c.Solution
		if !c.Planned || s.Solved || len(s.Lacks) > 0 {
			return nil
		}
		if !s.HasMin {
			return []finding.Finding{r.says(
				fmt.Sprintf("no TTL tolerates %d failed renewals at a ratio of %s: the lease ends before the attempt that has to succeed", c.In.Failures, c.In.Ratio),
				fmt.Sprintf("--failures below %d, or a --ratio of %d", c.In.Failures, c.In.Failures+2))}
		}
		if !s.HasMax {
			return []finding.Finding{r.says(
				fmt.Sprintf("%s has no %s lease of %s", c.In.Library.Name(), s.Mode, dur.Format(s.TTLMin)),
				"another --mode or --library")}
		}
		message := fmt.Sprintf("a %s lease needs at least %s, and an RTO of %s allows at most %s",
			s.Mode, dur.Format(s.TTLMin), dur.Format(c.In.RTO.Value), dur.Format(s.TTLMax))
		if s.TTLMax <= 0 {
			message = fmt.Sprintf("an RTO of %s leaves no time for a lease: to notice that a lock is free and to take it takes %s alone",
				dur.Format(c.In.RTO.Value), dur.Format(c.In.RTO.Value-s.TTLMax))
		}
		f := r.says(message, "a longer --rto, or less to survive")
		f.Value, f.Limit = finding.Of(s.TTLMin), finding.Of(s.TTLMax)
		f.File, f.Line = c.In.RTO.File, c.In.RTO.Line
		return []finding.Finding{f}
	},
}
