package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP118 is fast-takeover-without-fencing.
var LP118 = Rule{
	ID: "LP118", Name: "fast-takeover-without-fencing", Severity: finding.Warning,
	Condition: "no fencing, and the RTO forced renewals where a fixed lease would do (a plan), or T < T_min under an RTO (a check)",
	Why: "A quick takeover trades one failure for another: the shorter the lease, the more often a live but slow holder " +
		"loses it. Only a resource that refuses the old holder's token makes that harmless.",
	Fix:     "fence the resource first, or accept a slower takeover",
	Example: Example{Args: []string{"ttl", "--p999", "20s", "--pause", "1.5s", "--rto", "12s"}},
	Needs:   []Need{NeedRTO},
	Check: func(r Rule, c *Case) []finding.Finding {
		if !c.Planned && c.Lease.Renews() && c.FailuresTolerated() >= c.In.Failures {
			return nil // T_min of the renewal as it runs, not of ours
		}
		if c.In.Fencing == calc.FencingYes || !c.HasLease {
			return nil
		}
		patient := c.In
		patient.RTO = calc.Bound{}
		if c.Planned {
			without := calc.Solve(patient)
			if c.In.Mode != calc.Auto || !c.Lease.Renews() || without.Mode != calc.Fixed {
				return nil
			}
			traits := c.In.Library.Traits()
			least := calc.CeilTo(max(without.TTLMin, traits.MinTTL), traits.Quantum)
			return []finding.Finding{r.says("the RTO of "+dur.Format(c.In.RTO.Value)+" rules out a fixed lease of "+dur.Format(without.TTLMin)+
				": the lease is short and renewed, and no fencing refuses a holder that is late",
				"--fencing yes when the resource checks a token, or --rto of at least "+dur.Format(c.In.RTO.Value-c.Solution.TTLMax+least))}
		}
		patient.Mode = calc.Fixed
		if c.Lease.Renews() {
			patient.Mode = calc.Renewed
		}
		least := calc.Solve(patient)
		if !least.HasMin || c.worth().TTL >= least.TTLMin {
			return nil
		}
		write := plus(least.TTLMin, c.Setup.ClockSkew.Value)
		return []finding.Finding{r.found(c.TTL(), write, "a TTL of "+c.ttlText()+" for an RTO of "+dur.Format(c.In.RTO.Value)+
			" is below T_min "+dur.Format(least.TTLMin)+", and no fencing refuses a holder that is late",
			"--fencing yes when the resource checks a token, or a TTL of at least "+dur.Format(up(write)))}
	},
}
