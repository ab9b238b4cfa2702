package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP107 is renewal-too-rare.
var LP107 = Rule{
	ID: "LP107", Name: "renewal-too-rare", Severity: finding.Warning,
	Condition: "I > T/3 is a warning, I > T/2 an error; T/3 itself is clean; of T its worth T - skew (C4). Not of Consul, " +
		"which renews at T/2 and tries again every second: its server frees the lock at 2T",
	Why: "Between a third and a half, one renewal that is late or lost leaves a single try. Beyond a half there is " +
		"no second try at all: one dropped packet loses the lock.",
	Fix:     "renew every T/3",
	Example: Example{Args: []string{"check", "--ttl", "1s", "--renew", "800ms"}},
	Needs:   []Need{NeedLease},
	Check: func(r Rule, c *Case) []finding.Finding {
		interval, ttl := c.Lease.Interval, c.worth().TTL
		if interval <= ttl/3 {
			return nil
		}
		fix := c.aThird("a renew interval of at most ")
		if c.Setup.RenewFixed {
			fix = "another library, or a TTL that covers the hold: " + c.In.Library.Name() + " renews at this share of any TTL"
		}
		f := r.found(c.interval(), ttl/3, "a renewal every "+dur.Format(interval)+" of a lease of "+c.ttlText()+
			" is above a third: a lost renewal leaves "+dur.Format(ttl-interval), fix)
		if interval > ttl/2 {
			f = r.found(c.interval(), ttl/2, "a renewal every "+dur.Format(interval)+" of a lease of "+c.ttlText()+
				" is above a half: one lost renewal loses the lock", fix)
			f.Severity = finding.Error
		}
		return []finding.Finding{f}
	},
}
