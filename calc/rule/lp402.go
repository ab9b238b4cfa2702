package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP402 is schedule.
var LP402 = Rule{
	ID: "LP402", Name: "schedule", Severity: finding.Error,
	Condition: "atLeast > atMost, atLeast >= period, or atMost <= h where nothing extends the lock",
	Why: "A scheduled job's lock has to outlast the job, or a second node starts it beside the first. And it has to end " +
		"before the next run, or that run is skipped without a word.",
	Fix:     "h < atMost or a lock that is extended, atLeast <= atMost, atLeast < period",
	Example: Example{Args: []string{"check", "--at-most", "1m", "--at-least", "45s", "--period", "1m", "--p999", "10m"}},
	Needs: []Need{{"a schedule (--at-most, --at-least or --period)", func(c *Case) bool {
		return c.Setup.AtMost.Known || c.Setup.AtLeast.Known
	}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		most, least, period, hold := c.Setup.AtMost, c.Setup.AtLeast, c.Setup.Period, c.In.Hold
		if !hold.Finite() {
			hold = c.In.HoldAtLeast // enough to break it, not to keep it
		}
		var found []finding.Finding
		if most.Known && least.Known && least.Value > most.Value {
			found = append(found, r.found(least, most.Value,
				"the lock is kept for at least "+dur.Format(least.Value)+" and at most "+dur.Format(most.Value), "atLeast of at most "+dur.Format(most.Value)))
		}
		if most.Known && hold.Finite() && most.Value <= hold.Value && !c.extended(most.Value) {
			found = append(found, r.found(most, hold.Value,
				"a job of "+dur.Format(hold.Value)+" outlives its lock of "+dur.Format(most.Value)+": another node starts it too",
				"atMost above "+dur.Format(hold.Value)+", with room for a pause: "+dur.Format(up(plus(hold.Value, c.In.Pause.Value, c.In.Margin.Value)))))
		}
		if least.Known && period.Known && least.Value >= period.Value {
			found = append(found, r.found(least, period.Value,
				"the lock is kept for "+dur.Format(least.Value)+", and the next run is due after "+dur.Format(period.Value)+": it finds the lock taken",
				"atLeast below "+dur.Format(period.Value)))
		}
		return found
	},
}

// extended reports whether the holder extends its lock before it ends: a job
// may then take longer than the lock says at first.
func (c *Case) extended(most time.Duration) bool {
	interval := c.Setup.Renew.Value
	if c.HasLease {
		interval = c.Lease.Interval
	}
	return interval > 0 && interval < most
}
