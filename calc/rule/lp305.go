package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP305 is wait-below-queue.
var LP305 = Rule{
	ID: "LP305", Name: "wait-below-queue", Severity: finding.Error,
	Condition: "A < (N - 1) * h",
	Why: "With N callers at one key the last waits for all the others. It gives up while the queue is healthy, and the " +
		"error looks like a fault of the lock.",
	Fix:     "a longer wait, a shorter hold, or fewer callers for each key",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--renew", "3s", "--wait", "22s", "--p999", "25s", "--contenders", "2"}},
	Needs: []Need{NeedHold, NeedWait,
		{"the contenders for one key (--contenders)", func(c *Case) bool { return c.In.Contenders > 0 }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		wait, _ := c.surelyWaits()
		last := calc.LastWait(c.In.Contenders, c.In.Hold.Value)
		if wait.Value >= last {
			return nil
		}
		return []finding.Finding{r.found(wait, last,
			fmt.Sprintf("the last of %d contenders waits %s behind holds of %s; the wait is %s", c.In.Contenders, dur.Format(last), dur.Format(c.In.Hold.Value), dur.Format(wait.Value)),
			"a wait of at least "+dur.Format(up(last))+", or fewer contenders for one key")}
	},
}
