package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP110 is pause-not-survived.
var LP110 = Rule{
	ID: "LP110", Name: "pause-not-survived", Severity: finding.Error,
	Condition: "renewed: P >= T(1 - rho) - I - M; fixed: P > T(1 - rho) - h - M, where equality is F1's own T_min and sound; of T its worth T - skew (C4)",
	Why: "A stop of the whole process, a garbage collection or a throttled container, outlasts what is left of the lease. " +
		"The holder wakes up without the lock, does not know it, and goes on writing.",
	Fix:     "a longer TTL, or a shorter pause",
	Example: Example{Args: []string{"check", "--ttl", "10s", "--renew", "3s", "--pause", "13.2s"}},
	Needs: []Need{NeedLease, NeedPause,
		{"the hold (--p999 or --hold)", func(c *Case) bool {
			return c.Lease.Renews() || c.In.Hold.Finite() || c.In.Pause.Value > c.PauseSurvived() // whatever the hold
		}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		pause, survived := c.In.Pause.Value, c.PauseSurvived()
		if pause < survived || pause == survived && !c.Lease.Renews() {
			return nil
		}
		fix := "a TTL longer than " + dur.Format(c.Lease.TTL)
		if pause > survived {
			fix = "a TTL longer by more than " + dur.Format(up(c.stretched(pause-survived)))
		}
		if c.Survives.Pause == nil && c.tied() {
			fix = c.longer(0, func(l calc.Lease) bool { return l.PauseSurvived(c.In.Env()) > pause })
		}
		if survived > 0 {
			fix = "pauses below " + dur.Format(survived) + ", or " + fix
		}
		survived = max(0, survived)
		most := ""
		if !c.Lease.Renews() && !c.In.Hold.Finite() {
			most = " at most, whatever the hold"
		}
		f := r.found(c.TTL(), survived, "a pause of "+dur.Format(pause)+" loses the lock: the lease of "+c.ttlText()+
			" survives "+dur.Format(survived)+most, fix)
		f.Value = finding.Of(pause)
		return []finding.Finding{f}
	},
}
