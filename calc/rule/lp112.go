package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP112 is holder-learns-too-late.
var LP112 = Rule{
	ID: "LP112", Name: "holder-learns-too-late", Severity: finding.Error,
	Condition: "loss(T) + stop time + P >= free_min(T) * (1 - rho), less the skew where another machine's clock judges (C4); a warning where a stop-work limit is configured or planned",
	Why: "The library does tell a cut-off holder that its lock is lost, but later than somebody else can own it. In " +
		"between, two processes believe that they hold the lock.",
	Fix:     "let the application stop by itself at the stop-work point S, counted from its last confirmed renewal",
	Example: Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=10000", "--set", "tickTime=2000", "--pause", "5s"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		loss, ok := c.In.Library.Loss(c.Lease.TTL)
		if !ok {
			return nil
		}
		free := max(0, (calc.One-c.In.Drift).Of(c.FreeMin())-c.Setup.ClockSkew.Value)
		known := plus(loss, c.Setup.StopTime.Value, c.In.Pause.Value)
		if known < free {
			return nil
		}
		stop := max(0, calc.StopWork(c.In, c.worth()))
		f := r.found(c.TTL(), free, "a cut-off holder may work on until "+dur.Format(known)+" after its last renewal; others can own the lock after "+dur.Format(free),
			"stop work "+dur.Format(down(stop))+" after the last confirmed renewal was sent, in the application itself")
		f.Value = finding.Of(known)
		if c.Planned || c.Setup.StopWork.Known {
			f.Severity = finding.Warning
		}
		return []finding.Finding{f}
	},
}
