package rule

import (
	"time"

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
	Needs: []Need{NeedLease, NeedRTO,
		{"the period of the schedule (--period)", func(c *Case) bool {
			return !c.In.Detect.Unbounded || c.TakeoverWorst() > c.In.RTO.Value // whatever the period
		}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		worst, rto := c.TakeoverWorst(), c.In.RTO.Value
		if worst <= rto {
			return nil
		}
		fix := ""
		if most, least := c.longestWithin(rto); most > 0 {
			fix = "a TTL of at most " + dur.Format(most)
		} else {
			fix = "an RTO of at least " + dur.Format(up(least)) + ": no shorter lease is taken over sooner"
		}
		until := ""
		if c.In.Detect.Unbounded {
			until, fix = " and until the next run of the schedule", "a TTL below the RTO by the period of the schedule (--period)"
		}
		f := r.found(c.TTL(), rto, "after a crash the lock stays taken for up to "+dur.Format(worst)+until+" with a TTL of "+
			dur.Format(c.Lease.TTL)+"; the RTO is "+dur.Format(rto), fix)
		f.Value = finding.Of(worst)
		return []finding.Finding{f}
	},
}

// longestWithin is the longest TTL that is taken over within the RTO, in the
// library's steps, as its lag may grow with the TTL; 0 where none is, and then
// how long the takeover of the shortest lasts.
func (c *Case) longestWithin(rto time.Duration) (most, takeover time.Duration) {
	t := c.In.Library.Traits()
	step := max(t.Quantum, time.Millisecond)
	takes := func(ttl time.Duration) time.Duration {
		l := c.Lease
		l.TTL = ttl
		worst, _, _ := l.Takeover(c.In.Library, c.In.Env())
		return plus(worst, c.Setup.ClockSkew.Value)
	}
	low, high := (max(t.MinTTL, step)+step-1)/step, c.Lease.TTL/step
	if least := takes(low * step); least > rto || low > high {
		return 0, least
	}
	for low < high {
		if mid := low + (high-low+1)/2; takes(mid*step) <= rto {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low * step, 0
}
