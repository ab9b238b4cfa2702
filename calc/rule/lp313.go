package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP313 is wait-is-not-lease.
var LP313 = Rule{
	ID: "LP313", Name: "wait-is-not-lease", Severity: finding.Warning,
	Condition: "A = T, or T <= h < A on a fixed lease",
	Why: "The wait is how long a caller queues, the lease how long a silent holder keeps the lock. tryLock(wait, lease) " +
		"takes both as bare numbers side by side, and swapped or shared they compile.",
	Fix:     "work out each for itself: the wait from the deadline, the lease from the hold",
	Example: Example{Args: []string{"check", "--ttl", "3s", "--wait", "30s", "--p999", "10s"}},
	Needs:   []Need{NeedLease, {"the acquire wait (--wait)", func(c *Case) bool { return c.Setup.Wait.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		wait, ttl, hold := c.Setup.Wait, c.Lease.TTL, c.In.Hold
		switch {
		case wait.Value == ttl:
			return []finding.Finding{r.found(wait, ttl, "the acquire wait and the lease are the same "+dur.Format(ttl)+": one number for two clocks", r.Fix)}
		case !c.Lease.Renews() && hold.Finite() && ttl <= hold.Value && hold.Value < wait.Value:
			return []finding.Finding{r.found(wait, ttl, "a wait of "+dur.Format(wait.Value)+" and a lease of "+dur.Format(ttl)+" around a hold of "+dur.Format(hold.Value)+
				" look swapped: the lease must outlast the hold, the wait need not", "check the order of the two arguments")}
		}
		return nil
	},
}
