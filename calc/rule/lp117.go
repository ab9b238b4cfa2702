package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP117 is two-clocks.
var LP117 = Rule{
	ID: "LP117", Name: "two-clocks", Severity: finding.Warning,
	Condition: "expiry is judged by another machine's wall clock and skew > 0; an error where T - skew no longer covers " +
		"F1 (fixed) or the first renewal (renewed), or at the skew that the library survives. A scheduled job whose atLeast <= skew is an error",
	Why: "When the machine that frees the lock runs ahead of the one that holds it, the lease ends early by the whole " +
		"difference; when it runs behind, a crash blocks everybody for that much longer.",
	Fix:     "a lock whose server alone measures the lease, or a TTL longer by the skew",
	Example: Example{Args: []string{"check", "--ttl", "30s", "--renew", "10s", "--clock-skew", "5s"}},
	Needs: []Need{
		{NeedLease.Text, func(c *Case) bool { return c.HasLease || c.Setup.AtLeast.Known }},
		{"the clock skew (--clock-skew)", func(c *Case) bool { return c.Setup.ClockSkew.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		skew := c.Setup.ClockSkew
		if skew.Value == 0 {
			return nil
		}
		var found []finding.Finding
		if least := c.Setup.AtLeast; least.Known && least.Value <= skew.Value {
			found = append(found, r.again(least, skew.Value))
		}
		if !c.HasLease {
			return found
		}
		worth := c.Lease
		worth.TTL -= skew.Value
		f := r.at(Place{skew.File, skew.Line}, "expiry is judged by another machine's clock: with a skew of "+dur.Format(skew.Value)+" the lease of "+
			dur.Format(c.Lease.TTL)+" is worth "+dur.Format(max(0, worth.TTL))+" to its holder and blocks for "+dur.Format(plus(c.Lease.TTL, skew.Value))+" after a crash",
			"a server that measures the lease by its own clock, or a TTL of "+dur.Format(plus(c.Lease.TTL, skew.Value)))
		f.Value = finding.Of(skew.Value)
		switch {
		case c.Survives.Skew != nil && skew.Value >= *c.Survives.Skew:
			f.Severity = finding.Error
			f.Message += ", and it survives less than " + dur.Format(*c.Survives.Skew)
		case c.Survives.Skew != nil:
		case worth.TTL <= 0,
			worth.Renews() && worth.FailuresTolerated(c.In.Env()) < 0,
			!worth.Renews() && c.In.Hold.Finite() && worth.TTL < calc.FixedMin(c.In):
			f.Severity = finding.Error
			f.Message += ", which is not enough"
		}
		return append(found, f)
	},
}

// again reports a job that is over before the slower clock starts it: the lock
// is free by then.
func (r Rule) again(least calc.Bound, skew time.Duration) finding.Finding {
	f := r.found(least, skew, "the nodes' clocks differ by up to "+dur.Format(skew)+" and the lock of a quick job is kept for "+dur.Format(least.Value)+
		": the slower node starts the same run again", "atLeast above "+dur.Format(skew)+", below the period")
	f.Severity = finding.Error
	return f
}
