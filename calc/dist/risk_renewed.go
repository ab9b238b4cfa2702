package dist

import (
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// Renewal is the timing that decides which stops a renewed lease outlives.
type Renewal struct {
	Worth    time.Duration // T(1-rho), the lease by the holder's clock
	Interval time.Duration // I
	Call     time.Duration // the longest call that a timer waits for before I begins; 0 where it does not wait
	Margin   time.Duration // M
}

// LostPerStop is the probability that one stop loses the lease (K2): a stop
// of length x that begins u after the last confirmed renewal does iff x > T -
// u - M, with u uniform in [0, I), or up to I and a call for all but Lower.
// AnyDependence lets stops begin at the worst moment.
func (r Renewal) LostPerStop(length Band, confidence float64) Figure {
	longest := r.Interval + r.Call
	f := Figure{
		Lower:         r.lost(length.Lo, r.Interval) * (1 - floatGuard),
		Upper:         min(1, r.lost(length.Hi, longest)*(1+floatGuard)),
		AnyDependence: min(1, length.Hi.Exceeds(r.Worth-longest-r.Margin)*(1+floatGuard)),
	}
	f.Estimate = f.Upper
	if length.Mid.Len() > 0 {
		f.Estimate, f.Extrapolated = r.lost(length.Mid, longest), true
	}
	f.Sampled = f.Upper
	if length.Samples > 0 {
		f.Sampled = max(f.Upper, meanBound(f.Upper, float64(length.Samples), 1-confidence))
	}
	if f.open() {
		f.Wide = "the stops are known to their buckets only: finer buckets narrow it"
		if r.Call > 0 {
			f.Wide = "how long the renewals take is known by its bound only"
		}
	}
	return f
}

// lost is the exact expectation over the stop's length and its beginning.
func (r Renewal) lost(s Steps, interval time.Duration) float64 {
	safe := r.Worth - interval - r.Margin
	sum := 0.0
	for i := len(s.at) - 1; i >= 0; i-- {
		over := s.at[i] - safe
		switch {
		case over <= 0:
			return sum
		case over >= interval:
			sum += s.mass[i]
		default:
			sum += float64(s.mass[i] * (float64(over) / float64(interval)))
		}
	}
	return sum
}

// lossRate is lost leases per second of holding in the long run, over every
// kind of stop: process pauses and lock-service outages (K2); and which share
// of the time stops skip at most: what lies between a stop's beginning and its
// end, up to the next renewal.
func (r Renewal) lossRate(stops []Pauses, confidence float64) (total Figure, skipped, skippedSampled float64) {
	longest := r.Interval + r.Call
	for _, s := range stops {
		// Half of the allowed error is the rate's, a quarter each that of the
		// losses and the skipped time; each kind of stop takes its share.
		alpha := (1 - confidence) / float64(2*len(stops))
		f := r.LostPerStop(s.Length, 1-alpha/2)
		skip := s.Length.Hi.capped(longest).Mean() * (1 + floatGuard)
		rate, most := s.Rate, skip
		if n := s.Length.Samples; n > 0 {
			rate = float64(s.Rate * rateBound(float64(n), alpha) / float64(n))
			most = max(skip, float64(meanBound(skip/longest.Seconds(), float64(n), alpha/2)*longest.Seconds()))
		}
		total.Lower += float64(s.Rate * f.Lower)
		total.Upper += float64(s.Rate * f.Upper)
		total.Estimate += float64(s.Rate * f.Estimate)
		total.Extrapolated = total.Extrapolated || f.Extrapolated
		total.AnyDependence += float64(s.Rate * f.AnyDependence)
		total.Sampled += float64(rate * f.Sampled)
		if f.Wide != "" {
			total.Wide = f.Wide
		}
		skipped += float64(s.Rate * skip)
		skippedSampled += float64(rate * most)
	}
	return total, skipped, skippedSampled
}

// Risk is the probability that an acquisition loses its lease, with holds of
// the law given and stops that begin at random. K2's u is uniform only over
// whole intervals: the lower figure counts u from the acquire, so that a hold
// shorter than the interval has no stop that begins late in it, and both ends
// allow for stops that move the renewals after them. Holds that nothing ends
// must be capped at the maximum hold first. The sampling error is that of the
// stops.
func (r Renewal) Risk(stops []Pauses, hold Band, confidence float64) Figure {
	rate, skipped, skippedSampled := r.lossRate(stops, confidence)
	f := Figure{
		Lower:         r.lostAtLeast(stops, hold.Lo) * (1 - floatGuard),
		AnyDependence: lostWithin(rate.AnyDependence, hold.Hi),
		Extrapolated:  rate.Extrapolated || hold.Mid.Len() > 0,
		Wide:          rate.Wide,
	}
	// A stop that skips s of a quiet stretch brings the next dangerous one
	// closer by s, never more.
	f.Upper = min(f.AnyDependence, lostWithin(float64(rate.Upper*(1+skipped)), hold.Hi))
	f.Estimate = min(f.AnyDependence, lostWithin(float64(rate.Estimate*(1+skipped)), hold.estimate()))
	f.Sampled = max(f.Upper, lostWithin(float64(rate.Sampled*(1+skippedSampled)), hold.Hi))
	switch {
	case !f.open():
		f.Wide = ""
	case f.Wide == "" && hold.Mid.Len() == 0:
		f.Wide = "the hold times are known to their buckets, or how far into a renewal's interval they reach counts"
	}
	return f
}

// lostWithin is the chance of at least one loss during a hold.
func lostWithin(rate float64, hold Steps) float64 {
	sum := 0.0
	for i, h := range hold.at {
		if h == Inf {
			if rate > 0 {
				sum += hold.mass[i]
			}
			continue
		}
		sum += float64(hold.mass[i] * -portable.Expm1(-rate*h.Seconds()))
	}
	return min(1, sum)
}
