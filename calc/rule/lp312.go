package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP312 is unlock-can-fail.
var LP312 = Rule{
	ID: "LP312", Name: "unlock-can-fail", Severity: finding.Warning,
	Condition: "an unlock can time out, nothing tries it again until the lease is over, and the block it leaves, T + lag, meets no RTO",
	Why: "The work is done, the unlock gets no answer, and the lock stays for the rest of its lease with nobody behind " +
		"it. An unlock of 200 ms that fails leaves up to 30 s of block.",
	Fix:     "retry the unlock within what is left of the lease, or a shorter TTL",
	Example: Example{Args: []string{"check", "--library", "redisson@3.47", "--set", "lockWatchdogTimeout=30000", "--set", "timeout=200"}},
	Needs: []Need{NeedLease,
		{"the worst case of an unlock (a library's config)", func(c *Case) bool { return c.Setup.Unlock.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		block := plus(c.In.Library.FreeMax(c.Lease.TTL), c.Setup.ClockSkew.Value)
		if c.In.RTO.Known && c.TakeoverWorst() <= c.In.RTO.Value {
			return nil
		}
		if retry := c.Setup.UnlockRetry; retry.Known && retry.Value >= block {
			return nil
		}
		return []finding.Finding{r.found(c.Setup.Unlock, block,
			"an unlock may fail after "+dur.Format(c.Setup.Unlock.Value)+"; the lock then stays for up to "+dur.Format(block)+" with nobody behind it",
			"retry the unlock for as long as the lease lasts (application.unlockRetry = "+dur.Format(up(block))+"), or say with --rto which block is acceptable")}
	},
}
