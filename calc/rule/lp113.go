package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP113 is no-maximum-hold.
var LP113 = Rule{
	ID: "LP113", Name: "no-maximum-hold", Severity: finding.Warning,
	Condition: "a renewed lease without a maximum hold",
	Why: "Renewal keeps the lock for a task that hangs just as well as for one that works. Nothing frees it until " +
		"somebody restarts the process.",
	Fix:     "a maximum hold of 6 times the usual P99; past it the holder stops renewing and raises an alarm",
	Example: Example{Args: []string{"check", "--ttl", "30s", "--renew", "10s"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		if !c.Lease.Renews() || c.MaxHold.Known {
			return nil
		}
		return []finding.Finding{r.says("the lease is renewed for as long as the process lives: a stuck task keeps the lock for ever",
			"--max-hold, at 6 times the usual P99 of the hold")}
	},
}
