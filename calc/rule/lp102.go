package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP102 is takeover-above-rto.
var LP102 = Rule{
	ID: "LP102", Name: "takeover-above-rto", Severity: finding.Error,
	Condition: "T + lag(T) + W + rtt + skew > RTO",
	Why: "A holder that dies right after a renewal keeps the lock for the whole lease. Everybody who needs it stands " +
		"still for that long, and longer than the recovery target allows.",
	Fix:     "a TTL of at most RTO - lag - W - rtt, or waiters that notice sooner",
	Example: Example{Args: []string{"check", "--ttl", "60s", "--rto", "5s"}},
	Needs:   []Need{NeedLease, NeedRTO},
	Check: func(r Rule, c *Case) []finding.Finding {
		worst, rto := c.TakeoverWorst(), c.In.RTO.Value
		if worst <= rto {
			return nil
		}
		most := c.Lease.TTL - (worst - rto)
		fix := "a TTL of at most " + dur.Format(down(most))
		if down(most) <= 0 {
			fix = "an RTO above " + dur.Format(worst-c.Lease.TTL) + ": that much passes besides the TTL"
		}
		f := r.found(c.TTL(), rto, "after a crash the lock stays taken for up to "+dur.Format(worst)+" with a TTL of "+
			dur.Format(c.Lease.TTL)+"; the RTO is "+dur.Format(rto), fix)
		f.Value = finding.Of(worst)
		return []finding.Finding{f}
	},
}
