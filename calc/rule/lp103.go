package rule

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP103 is infeasible.
var LP103 = Rule{
	ID: "LP103", Name: "infeasible", Severity: finding.Error,
	Condition: "T_min > T_max = RTO - lag - W - rtt, or no T meets R1 and R2 at all, or the library cannot be set to one that does (L2)",
	Why: "No TTL is long enough to outlast the work and the pauses and short enough to free the lock in time. " +
		"A plan would have to break one of the two promises, so there is none until an input changes.",
	Fix:     "one of the relaxations that the plan lists, each enough on its own",
	Example: Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s", "--margin", "700ms", "--rto", "2s"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		s := c.Solution
		if c.Refused != "" {
			return []finding.Finding{r.says(c.Refused, "a longer --rto, less to survive, or another --library")}
		}
		if !c.Planned || s.Solved || len(s.Lacks) > 0 {
			return nil
		}
		if !s.HasMin && c.In.Library.Traits().OneChance {
			return []finding.Finding{r.says(
				fmt.Sprintf("%s gives the lock up after one failed renewal, and a plan that tolerates %d has no TTL", c.In.Library.Name(), c.In.Failures),
				"--failures 0 accepts it, or another --library")}
		}
		if !s.HasMin {
			return []finding.Finding{r.says(
				fmt.Sprintf("no TTL tolerates %d failed renewals at a ratio of %s: the lease ends before the attempt that has to succeed", c.In.Failures, c.In.Ratio),
				fmt.Sprintf("--failures below %d, or a --ratio of %d", c.In.Failures, c.In.Failures+2))}
		}
		message, fix := binding(c)
		f := r.says(message, fix)
		if f.Value = finding.Of(s.TTLMin); s.HasMax {
			f.Limit = finding.Of(s.TTLMax)
		}
		f.File, f.Line = c.In.RTO.File, c.In.RTO.Line
		return []finding.Finding{f}
	},
}

// binding names the bound that leaves no TTL: the library's shortest or
// longest lease where that is it, else the need and the recovery target.
func binding(c *Case) (message, fix string) {
	s, t, name := c.Solution, c.In.Library.Traits(), c.In.Library.Name()
	needs := fmt.Sprintf("a %s lease needs at least %s", s.Mode, dur.Format(s.TTLMin))
	longer := "a longer --rto, or less to survive"
	switch {
	case s.Mode == calc.Fixed && t.NoFixed || s.Mode == calc.Renewed && t.NoRenewed:
		return fmt.Sprintf("%s has no %s lease that a plan can rest on", name, s.Mode), "another --mode or --library"
	case t.MaxTTL > 0 && s.TTLMin > t.MaxTTL:
		return fmt.Sprintf("%s, and the longest of %s is %s", needs, name, dur.Format(t.MaxTTL)), "less to survive, or another --library"
	case !s.HasMax:
		return fmt.Sprintf("%s has no %s lease of %s", name, s.Mode, dur.Format(s.TTLMin)), "another --mode or --library"
	}
	env := c.In.Env()
	if worst := plus(c.In.Library.FreeMax(t.MinTTL), env.Detect, env.RTT); t.MinTTL > s.TTLMin && worst > c.In.RTO.Value {
		return fmt.Sprintf("the shortest lease of %s, %s, is taken over up to %s after a crash, and the RTO is %s",
			name, dur.Format(t.MinTTL), dur.Format(worst), dur.Format(c.In.RTO.Value)), "a longer --rto, or another --library"
	}
	if alone := plus(env.Detect, env.RTT); alone >= c.In.RTO.Value {
		return fmt.Sprintf("an RTO of %s leaves no time for a lease: to notice that a lock is free and to take it takes %s alone",
			dur.Format(c.In.RTO.Value), dur.Format(alone)), longer
	}
	if s.TTLMax <= 0 { // the library's own lag
		return fmt.Sprintf("%s, such a one is taken over up to %s after a crash, and the RTO is %s",
			needs, dur.Format(plus(c.In.Library.FreeMax(s.TTLMin), env.Detect, env.RTT)), dur.Format(c.In.RTO.Value)), longer
	}
	if steps := t.Quantum; steps > time.Millisecond && s.TTLMin <= s.TTLMax {
		needs += fmt.Sprintf(" and %s has steps of %s", name, dur.Format(steps))
	}
	return fmt.Sprintf("%s, and an RTO of %s allows at most %s", needs, dur.Format(c.In.RTO.Value), dur.Format(s.TTLMax)), longer
}
