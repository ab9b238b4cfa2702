package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP404 is killed-while-holding.
var LP404 = Rule{
	ID: "LP404", Name: "killed-while-holding", Severity: finding.Error,
	Condition: "the limit of a probe, a function or a job <= h",
	Why: "Something kills the process in the middle of healthy work. The lock stays behind until its lease ends, the " +
		"next process starts from the beginning, and is killed at the same place.",
	Fix:     "a limit above the hold, or shorter work",
	Example: Example{Args: []string{"check", "--ttl", "60s", "--renew", "20s", "--p999", "2m", "--kill-after", "95s"}},
	Needs: []Need{NeedHold,
		{"the hard limit (--kill-after)", func(c *Case) bool { return c.Setup.KillAfter.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		kill, hold := c.Setup.KillAfter, c.In.Hold.Value
		if kill.Value > hold {
			return nil
		}
		return []finding.Finding{r.found(kill, hold,
			"a hold of "+dur.Format(hold)+" is killed after "+dur.Format(kill.Value)+" with the lock in its hands",
			"a limit above "+dur.Format(up(hold)))}
	},
}
