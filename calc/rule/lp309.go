package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP309 is socket-timeout-too-long.
var LP309 = Rule{
	ID: "LP309", Name: "socket-timeout-too-long", Severity: finding.Error,
	Condition: "Ta > A: one attempt's socket timeout against the acquire wait, or against D - B - R - C",
	Why: "One lost packet, and the first attempt sits on its socket until the request has failed. There is no second " +
		"attempt and no time left to find out whether the first one took the lock.",
	Fix:     "a socket timeout of at most min(M, A)",
	Example: Example{Args: []string{"check", "--ttl", "5s", "--attempt-timeout", "3s", "--deadline", "1s", "--work", "450ms", "--reply", "100ms"}},
	Needs: []Need{
		{"the socket timeout of one attempt (--attempt-timeout)", func(c *Case) bool { return c.Setup.Attempt.Known }},
		{"the acquire wait or the deadline (--wait or --deadline)", func(c *Case) bool {
			_, limits := c.waitLimit()
			return limits || c.In.Deadline.Known
		}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		attempt := c.Setup.Attempt
		wait, limits := c.waitLimit()
		limit, what := wait.Value, "the acquire wait"
		if c.In.Deadline.Known {
			if left, _ := c.budget(); !limits || left < limit {
				limit, what = max(0, left), "the time left of the deadline"
			}
		}
		if attempt.Value <= limit {
			return nil
		}
		return []finding.Finding{r.found(attempt, limit,
			"one attempt may sit on its socket for "+dur.Format(attempt.Value)+"; "+what+" is "+dur.Format(limit),
			"a socket timeout of at most "+dur.Format(down(min(limit, c.In.Margin.Value))))}
	},
}
