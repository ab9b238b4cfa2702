package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP304 is wait-below-takeover.
var LP304 = Rule{
	ID: "LP304", Name: "wait-below-takeover", Severity: finding.Warning,
	Condition: "A < T + lag + W",
	Why: "A caller that waits for less than a takeover cannot outlive a dead holder. After each crash every caller fails " +
		"until the lease is over; that may be right, if it is meant.",
	Fix:     "a longer wait where the deadline allows it, a shorter TTL, or callers that try again later",
	Example: Example{Args: []string{"check", "--ttl", "3s", "--wait", "450ms"}},
	Needs: []Need{NeedLease, NeedWait,
		{"the period of the schedule (--period)", func(c *Case) bool { return !c.In.Detect.Unbounded }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		wait, _ := c.surelyWaits()
		env := c.In.Env()
		env.Detect = plus(env.Detect, c.Setup.ClockSkew.Value)
		fails := calc.FailsAfterCrash(c.In.Library, c.Lease, env, wait.Value)
		if fails == 0 {
			return nil
		}
		takeover := plus(fails, wait.Value)
		// Whoever finds the lock free has still to take it.
		fix := "a wait of at least " + dur.Format(up(plus(takeover, c.In.RTT.Value))) + " where the deadline allows it, or a shorter TTL"
		if c.Planned && c.In.Deadline.Known { // the wait is all that the deadline leaves, the TTL the shortest there is
			fix = "callers that try again later or do without: the deadline of " + dur.Format(c.In.Deadline.Value) + " leaves no longer wait"
		}
		return []finding.Finding{r.found(wait, takeover,
			"after a crash callers fail for "+dur.Format(fails)+": they wait "+dur.Format(wait.Value)+", takeover takes "+dur.Format(takeover),
			fix)}
	},
}
