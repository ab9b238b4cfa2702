package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP121 is cap-above-meaning.
var LP121 = Rule{
	ID: "LP121", Name: "cap-above-meaning", Severity: finding.Error,
	Condition: "fixed: maximum hold > S; any lease: the application's stop-work limit > S = T(1 - rho) - P - M; of T its worth T - skew (C4)",
	Why: "Somebody raised the number that does not limit. The lease ends at its own time all the same, and the holder, " +
		"which trusts the larger number, goes on without the lock.",
	Fix:     "raise the number that limits, or lower the other to it",
	Example: Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s", "--margin", "700ms", "--max-hold", "1d"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		most, worth := c.In.MaxHold, c.worth()
		stopWork := calc.StopWork(c.In, worth) // negative where the pause and the margin alone are longer
		limit := stopWork
		if c.In.PauseIncluded && c.HasLease && !c.Lease.Renews() {
			own := c.In
			own.MaxHold = calc.Bound{} // what the lease allows, whatever was asked for
			limit = calc.MaxHold(own, calc.Solution{Mode: calc.Fixed, Lease: worth}).Value
		}
		if !c.Planned {
			most = c.MaxHold
		}
		least := plus(most.Value, worth.Worth(c.In.Drift)-limit)
		stopWork, limit = max(0, stopWork), max(0, limit)
		var found []finding.Finding
		if !c.Lease.Renews() && most.Known && most.Value > limit {
			found = append(found, r.found(most, limit,
				"a maximum hold of "+dur.Format(most.Value)+" means nothing: a fixed lease of "+c.ttlText()+" allows work until "+dur.Format(limit),
				"a TTL of at least "+dur.Format(c.atLeast(least))+", or renewals, or a maximum hold of at most "+dur.Format(down(limit))))
		}
		if stop := c.Setup.StopWork; stop.Known && stop.Value > stopWork {
			found = append(found, r.found(stop, stopWork,
				"a stop-work limit of "+dur.Format(stop.Value)+" comes too late: the lease of "+c.ttlText()+" allows work until "+dur.Format(stopWork),
				"a stop-work limit of at most "+dur.Format(down(stopWork))))
		}
		return found
	},
}
