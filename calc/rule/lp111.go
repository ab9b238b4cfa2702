package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP111 is outage-not-survived.
var LP111 = Rule{
	ID: "LP111", Name: "outage-not-survived", Severity: finding.Error,
	Condition: "a failover or outage of the lock service > r * m, m = floor((T(1 - rho) - M - I) / r); where the timer of a renewal starts when the last call ended also > the greater of I * m and T(1 - rho) - M - I - r",
	Why: "While the lock service elects a new leader no renewal lands. When that takes longer than the attempts that " +
		"fit into one lease, every holder loses its lock at once, and they all come back at once.",
	Fix:     "a longer TTL at the same interval, or more frequent renewals",
	Example: Example{Args: []string{"check", "--ttl", "30s", "--renew", "10s", "--outage", "60s"}},
	Needs: []Need{NeedLease,
		{"an outage to survive (--outage or --failover)", func(c *Case) bool { return c.Setup.Outage.Known || c.Setup.Failover.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		l := c.Lease
		if !l.Renews() { // nothing has to reach the service until the release
			return nil
		}
		survived := c.OutageSurvived()
		var found []finding.Finding
		for _, out := range []struct {
			what  string
			bound calc.Bound
		}{{"a failover of the lock service", c.Setup.Failover}, {"an outage of the lock service", c.Setup.Outage}} {
			if !out.bound.Known || out.bound.Value <= survived {
				continue
			}
			var fix string
			if c.Survives.Outage != nil || l.OneChance {
				fix = c.ownLonger(c.FailuresTolerated(), out.bound.Value)
			} else {
				least := plus(c.In.Margin.Value, l.Due(c.In.Env()), slackFor(l, out.bound.Value))
				fix = c.longer(least, func(l calc.Lease) bool { return l.OutageSurvived(c.In.Env()) >= out.bound.Value })
			}
			f := r.found(c.TTL(), survived, out.what+" of "+dur.Format(out.bound.Value)+" loses the lock: "+dur.Format(survived)+" is survived", fix)
			f.Value = finding.Of(out.bound.Value)
			found = append(found, f)
		}
		return found
	},
}

// slackFor is C2 turned round: what a lease must have beside a renewal and the
// margin to survive an outage.
func slackFor(l calc.Lease, outage time.Duration) time.Duration {
	every := l.Spacing
	if l.AfterCall { // refused calls come closer together
		every = l.Interval
	}
	attempts := (outage-1)/max(every, 1) + 1
	slack := times(int(attempts), l.Spacing)
	if l.AfterCall {
		slack = min(slack, plus(outage, l.Spacing))
	}
	return slack
}
