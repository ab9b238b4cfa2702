package rule

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP204 is unit-suspect.
var LP204 = Rule{
	ID: "LP204", Name: "unit-suspect", Severity: finding.Error,
	Condition: "value = 0, value <= 3 ms, T <= 3 rtt unless T >= T_min, an attempt's timeout < rtt, value > 24 h, or value >= 1000 x a peer's",
	Why: "3 seconds typed where the key wants milliseconds is the commonest way to break a lock: it works on a quiet " +
		"machine and drops most callers under load. The number alone looks right in review.",
	Fix:     "write the value with its unit, or in the unit that the key is read in",
	Example: Example{Args: []string{"check", "--ttl", "3ms"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		var found []finding.Finding
		daily := c.Setup.AtMost.Known                                                       // jobs that run for a day are known to exist
		if hold := c.In.Hold; hold.Kind == calc.Claimed && hold.Value > dur.Day && !daily { // an observed one is judged where it is read
			if f, ok := r.unitSuspect(Place{hold.File, hold.Line}, "the hold", hold.Value, 0); ok {
				found = append(found, f)
			}
		}
		if c.Planned {
			return found
		}
		for _, v := range []struct {
			what   string
			bound  calc.Bound
			zeroOK bool
		}{
			{"the TTL", c.Setup.TTL, false},
			{"the renew interval", c.Setup.Renew, true},
			{"the acquire wait", c.Setup.Wait, true}, // 0 fails fast, on purpose
		} {
			if !v.bound.Known || v.zeroOK && v.bound.Value == 0 || daily && v.bound.Value > dur.Day {
				continue
			}
			roundTrip := time.Duration(0) // for an interval or a wait, a few milliseconds
			if v.bound == c.Setup.TTL && !c.enough() {
				roundTrip = c.In.RTT.Value
			}
			if f, ok := r.unitSuspect(Place{v.bound.File, v.bound.Line}, v.what, v.bound.Value, roundTrip); ok {
				found = append(found, f)
			}
		}
		// R2's other half, for a call that is no renewal.
		attempt := c.Setup.Attempt
		for _, other := range []calc.Bound{c.Setup.Reply, c.Setup.Command} { // the shortest answers for all
			if other.Known && (!attempt.Known || other.Value < attempt.Value) {
				attempt = other
			}
		}
		if rtt := c.In.RTT; attempt.Known && attempt.Value > 0 && rtt.Known && attempt.Value < rtt.Value {
			found = append(found, r.found(attempt, rtt.Value,
				"an attempt gives up after "+dur.Format(attempt.Value)+", a round trip takes "+dur.Format(rtt.Value)+": no call is ever answered: "+bothReadings(attempt.Value),
				"a timeout of at least "+dur.Format(up(rtt.Value))))
		}
		return found
	},
}

// enough reports whether the TTL is at least what the model itself asks for:
// a plan on a slow network has a TTL of few round trips.
func (c *Case) enough() bool {
	in := c.In
	in.RTO = calc.Bound{}
	in.Mode = calc.Fixed
	if c.Lease.Renews() {
		in.Mode = calc.Renewed
	}
	s := calc.Solve(in)
	return s.HasMin && len(s.Lacks) == 0 && c.Lease.TTL >= s.TTLMin
}

// fewRoundTrips is how many a TTL must outlast: an acquire, a renewal and a
// release.
const fewRoundTrips = 3

// unitSuspect looks at what ("the TTL") by itself; a round trip of 0 is not
// known and counts as 1 ms. ok is false for a plausible value.
func (r Rule) unitSuspect(p Place, what string, value, roundTrip time.Duration) (f finding.Finding, ok bool) {
	if roundTrip == 0 {
		roundTrip = time.Millisecond
	}
	text, limit := dur.Format(value), fewRoundTrips*roundTrip
	switch {
	case value == 0:
		f = r.at(p, what+" is 0: no lock at all, or a value below the key's unit that was cut off",
			"write it in the key's own unit: 500ms in a key of whole seconds reads as 0")
	case value <= limit:
		f = r.at(p, what+" of "+text+" is not longer than a few round trips ("+dur.Format(limit)+"): "+bothReadings(value),
			"check the unit of the key: it may have been meant as "+dur.Format(thousand(value)))
	case value > dur.Day:
		limit = dur.Day
		f = r.at(p, what+" of "+text+" is longer than a day: "+bothReadings(value/1000),
			"check the unit of the key: it may have been meant as "+dur.Format(value/1000))
	default:
		return f, false
	}
	f.Value, f.Limit = finding.Of(value), finding.Of(limit)
	return f, true
}

// UnitPeers is LP204 for what ("P99.9 of a.prom") against the same figure of
// a peer; ok is false where the two are less than a factor of 1000 apart.
func UnitPeers(p Place, what string, value time.Duration, peer string, peerValue time.Duration) (f finding.Finding, ok bool) {
	low, high := min(value, peerValue), max(value, peerValue)
	if low == 0 || thousand(low) > high {
		return f, false
	}
	f = LP204.at(p, what+" is "+dur.Format(value)+" and "+peer+" is "+dur.Format(peerValue)+
		", a factor of 1000 apart: one of them is read in the wrong unit", "--unit, or the right unit in the file: "+bothReadings(low))
	f.Value, f.Limit = finding.Of(value), finding.Of(peerValue)
	return f, true
}

func bothReadings(small time.Duration) string {
	return dur.Format(small) + " or " + dur.Format(thousand(small)) + "?"
}

// thousand is 1000 d, at most the longest duration.
func thousand(d time.Duration) time.Duration {
	if d > dur.Max/1000 {
		return dur.Max
	}
	return 1000 * d
}
