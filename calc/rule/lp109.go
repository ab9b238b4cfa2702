package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP109 is failures-not-tolerated.
var LP109 = Rule{
	ID: "LP109", Name: "failures-not-tolerated", Severity: finding.Warning,
	Condition: "k_max = floor((T(1 - rho) - P - M - Tr - I) / r) < k; an error where k was asked for or T(1 - rho) <= P + M, a warning for the default of 1",
	Why: "A renewal fails now and then: a failover, a full pool, a lost packet. When that meets one full pause, the next " +
		"attempt comes too late and the lock is lost in the middle of the work.",
	Fix:     "renew more often, or a longer TTL",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--renew", "5s", "--pause", "1.5s", "--failures", "1"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		k, l := c.In.Failures, c.Lease
		tolerated := c.FailuresTolerated()
		if !l.Renews() || tolerated >= k {
			return nil
		}
		message := fmt.Sprintf("%d failed renewals in a row are survived beside a pause of %s, %d asked", tolerated, dur.Format(c.In.Pause.Value), k)
		if tolerated < 0 {
			message = fmt.Sprintf("beside a pause of %s not even the first renewal is sure to land in time, %d failures asked", dur.Format(c.In.Pause.Value), k)
		}
		if !c.In.FailuresGiven && !c.Planned {
			message += " by default"
		}
		var fix string
		switch {
		case c.Survives.Failures != nil && c.Survives.Longer != nil:
			fix = c.ownLonger(k, 0)
		case (l.OneChance || c.Survives.Failures != nil) && tolerated >= 0:
			fix = "--failures 0 accepts it, or another --library: after a failed renewal " + c.In.Library.Name() + " has no second one, at whatever TTL"
		case l.OneChance || c.Survives.Failures != nil:
			least := plus(l.Due(c.In.Env()), l.Call, c.In.Pause.Value, c.In.Margin.Value)
			fix = c.longer(least, func(l calc.Lease) bool { return l.FailuresTolerated(c.In.Env()) >= 0 }) +
				" for the first renewal, and --failures 0 or another --library for more"
		default:
			least := plus(l.Due(c.In.Env()), times(k, l.Spacing), l.Call, c.In.Pause.Value, c.In.Margin.Value)
			fix = c.longer(least, func(l calc.Lease) bool { return l.FailuresTolerated(c.In.Env()) >= k })
			if !c.tied() {
				fix += ", or more frequent renewals"
			}
		}
		ttl := c.TTL()
		f := r.at(Place{ttl.File, ttl.Line}, message, fix)
		if c.In.FailuresGiven || c.Planned || c.coversNothing() {
			f.Severity = finding.Error
		}
		return []finding.Finding{f}
	},
}
