package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP112 is holder-learns-too-late.
var LP112 = Rule{
	ID: "LP112", Name: "holder-learns-too-late", Severity: finding.Error,
	Condition: "loss(T) + stop time + P >= free_min(T) * (1 - rho), less the skew where another machine's clock judges (C4); a warning where a stop-work limit is configured or planned, " +
		"and an error where with a stop time that limit, in place of loss(T), is too late as well",
	Why: "The library does tell a cut-off holder that its lock is lost, but later than somebody else can own it, or it never " +
		"does and the application's own limit leaves no time to stop. In between, two processes believe that they hold the lock.",
	Fix:     "let the application stop by itself at the stop-work point S, counted from its last confirmed renewal",
	Example: Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=10000", "--set", "tickTime=2000", "--pause", "5s"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		free := max(0, (calc.One-c.In.Drift).Of(c.FreeMin())-c.Setup.ClockSkew.Value)
		loss, told := c.In.Library.Loss(c.Lease.TTL)
		known := plus(loss, c.Setup.StopTime.Value, c.In.Pause.Value)
		if told && known < free {
			return nil
		}
		if f, late := r.stopsTooLate(c, free); late {
			return []finding.Finding{f}
		}
		if !told {
			return nil
		}
		stop := max(0, calc.StopWork(c.In, c.worth()))
		f := r.found(c.TTL(), free, "a cut-off holder may work on until "+dur.Format(known)+" after its last renewal; others can own the lock after "+dur.Format(free),
			"stop work "+dur.Format(down(stop))+" after the last confirmed renewal was sent, in the application itself")
		f.Value = finding.Of(known)
		switch limit := c.Setup.StopWork; {
		case limit.Known && limit.Value <= stop:
			f.Severity = finding.Warning
			f.Message += ": that the application stops by itself after " + dur.Format(limit.Value) + " is all that keeps them apart"
			f.Fix = "once it is known to stop there, ignore: {rule: LP112, reason: …} in lockplan.yaml; or a library that tells in time"
		case limit.Known || c.Planned:
			f.Severity = finding.Warning
		}
		return []finding.Finding{f}
	},
}

// stopsTooLate reports an application that needs time to stop and whose own
// limit leaves too little of it. One that stops at once is LP121's.
func (r Rule) stopsTooLate(c *Case, free time.Duration) (f finding.Finding, late bool) {
	limit, takes, pause := c.Setup.StopWork, c.Setup.StopTime.Value, c.In.Pause.Value
	if !limit.Known || takes == 0 || plus(limit.Value, takes, pause) < free {
		return f, false
	}
	most := down(min(calc.StopWork(c.In, c.worth()), free-1-plus(takes, pause)))
	fix := "a stop-work limit of at most " + dur.Format(max(0, most))
	if most <= 0 {
		fix = "a TTL longer than " + dur.Format(c.atLeast(plus(takes, pause, c.In.Margin.Value))) + ", or an application that stops sooner"
	}
	f = r.found(limit, free, "the application begins to stop "+dur.Format(limit.Value)+" after its last confirmed renewal, takes "+dur.Format(takes)+
		" and may pause for "+dur.Format(pause)+": it works until "+dur.Format(plus(limit.Value, takes, pause))+"; others can own the lock after "+dur.Format(free), fix)
	f.Value = finding.Of(plus(limit.Value, takes, pause))
	return f, true
}
