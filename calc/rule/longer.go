package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
)

// longer is the advice to take a longer TTL, one that makes the lease do: at
// the interval as it is one worth least, and where the library ties its
// interval to the TTL the first whose own interval does.
func (c *Case) longer(least time.Duration, does func(calc.Lease) bool) string {
	if !c.tied() {
		return "a TTL of at least " + dur.Format(c.atLeast(least)) + " at this interval"
	}
	if ttl := c.leastTied(does); ttl > 0 {
		return "a TTL of at least " + dur.Format(ttl)
	}
	return "less to survive, or another library: " + c.In.Library.Name() + " renews " + c.In.Library.Traits().Ratio.String() +
		" times a TTL, and no TTL is long enough for that"
}

// ownLonger is longer where the library's own arithmetic replaces the model's.
func (c *Case) ownLonger(failures int, outage time.Duration) string {
	if c.Survives.Longer != nil {
		if keys := c.Survives.Longer(failures, outage); keys != "" {
			return keys
		}
	}
	return "another --library: nothing that " + c.In.Library.Name() + " can be set to survives it"
}

// tied reports whether the interval is the library's share of the TTL.
func (c *Case) tied() bool {
	if c.In.Library.Traits().Ratio == 0 || !c.Lease.Renews() {
		return false
	}
	exact, whole := c.scaled(c.Lease.TTL)
	return c.Lease.Interval == exact.Interval || c.Lease.Interval == whole.Interval
}

// scaled is the lease at another TTL, the interval a share of it, and the same
// with the interval cut to whole steps, as some libraries do.
func (c *Case) scaled(ttl time.Duration) (exact, whole calc.Lease) {
	t := c.In.Library.Traits()
	share := t.Ratio.Share(ttl)
	at := func(interval time.Duration) calc.Lease {
		l := c.Lease
		l.TTL, l.Interval = ttl, interval
		if !l.AfterCall && c.Lease.Call == c.Lease.Interval/2 { // a call that the interval cuts short
			l.Call = max(l.Call, min(c.In.Margin.Value, interval/2))
		}
		switch {
		case l.AfterCall:
			l.Spacing = plus(interval, c.Lease.Spacing-c.Lease.Interval)
		case c.Lease.Spacing == c.Lease.Interval:
			l.Spacing = interval
		default: // tried again after the call
			l.Spacing = plus(l.Spacing, l.Call-c.Lease.Call)
		}
		return l
	}
	return at(share), at(share.Truncate(t.IntervalQuantum))
}

// leastTied is the least TTL above the present one, in the library's steps,
// whose lease less the skew (C4) does; 0 where none does.
func (c *Case) leastTied(does func(calc.Lease) bool) time.Duration {
	step := max(c.In.Library.Traits().Quantum, 1)
	enough := func(steps time.Duration) bool {
		exact, whole := c.scaled(steps * step)
		exact.TTL = max(0, exact.TTL-c.Setup.ClockSkew.Value)
		whole.TTL = exact.TTL
		return does(exact) && does(whole)
	}
	low := c.Lease.TTL / step
	high := low + 1
	for ; !enough(high); high *= 2 {
		if low = high; high > dur.Max/step/4 {
			return 0
		}
	}
	for low+1 < high {
		if mid := low + (high-low)/2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high * step
}
