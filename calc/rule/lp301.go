package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP301 is wait-exceeds-budget.
var LP301 = Rule{
	ID: "LP301", Name: "wait-exceeds-budget", Severity: finding.Error,
	Condition: "A >= D - B - R - C",
	Why: "A caller that gets the lock later than this cannot answer in time: it holds the lock, does the work and " +
		"its result is thrown away, while the next caller waits for it.",
	Fix:     "wait less, or give the request more time",
	Example: Example{Args: []string{"check", "--ttl", "5s", "--wait", "900ms", "--deadline", "1s", "--work", "450ms", "--reply", "100ms"}},
	Needs: []Need{NeedDeadline,
		{"the work after the lock (--work, --p99 or --p999)", func(c *Case) bool {
			return c.In.Work.Known || c.Setup.Wait.Known && c.Setup.Wait.Value >= c.In.Deadline.Value
		}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		in := c.In
		budget, parts := c.budget()
		if budget <= 0 {
			return []finding.Finding{r.found(in.Deadline, in.Deadline.Value-budget,
				"no time is left to wait for the lock: "+parts+" is "+dur.Format(budget),
				"--deadline above "+dur.Format(in.Deadline.Value-budget))}
		}
		if wait := c.Setup.Wait; wait.Known && wait.Value >= budget {
			return []finding.Finding{r.found(wait, budget,
				"a wait of "+dur.Format(wait.Value)+" is not below the "+dur.Format(budget)+" that is left ("+parts+")",
				"a wait below "+dur.Format(down(budget)))}
		}
		return nil
	},
}
