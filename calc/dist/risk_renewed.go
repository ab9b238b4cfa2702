package dist

import (
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// Renewal is the timing that decides which stops a renewed lease outlives.
type Renewal struct {
	Worth    time.Duration // T(1-rho), the lease by the holder's clock
	Interval time.Duration // I
	Margin   time.Duration // M
}

// LostPerStop is the probability that one stop loses the lease (K2): a stop
// of length x that begins u after the last confirmed renewal does iff x > T -
// u - M, with u uniform in [0, I). AnyDependence lets stops begin at the worst
// moment.
func (r Renewal) LostPerStop(length Band, confidence float64) Figure {
	f := Figure{
		Lower:         r.lost(length.Lo) * (1 - floatGuard),
		Upper:         min(1, r.lost(length.Hi)*(1+floatGuard)),
		AnyDependence: min(1, length.Hi.Exceeds(r.Worth-r.Interval-r.Margin)*(1+floatGuard)),
	}
	f.Estimate = f.Upper
	if length.Mid.Len() > 0 {
		f.Estimate, f.Extrapolated = r.lost(length.Mid), true
	}
	f.Sampled = f.Upper
	if length.Samples > 0 {
		f.Sampled = max(f.Upper, meanBound(f.Upper, float64(length.Samples), 1-confidence))
	}
	if f.open() {
		f.Wide = "the stops are known to their buckets only: finer buckets narrow it"
	}
	return f
}

// lost is the exact expectation over the stop's length and its beginning.
func (r Renewal) lost(s Steps) float64 {
	safe := r.Worth - r.Interval - r.Margin
	sum := 0.0
	for i := len(s.at) - 1; i >= 0; i-- {
		over := s.at[i] - safe
		switch {
		case over <= 0:
			return sum
		case over >= r.Interval:
			sum += s.mass[i]
		default:
			sum += float64(s.mass[i] * (float64(over) / float64(r.Interval)))
		}
	}
	return sum
}

// LossRate is lost leases per second of holding, over every kind of stop:
// process pauses and lock-service outages (K2).
func (r Renewal) LossRate(stops []Pauses, confidence float64) Figure {
	var total Figure
	for _, s := range stops {
		// Half of the allowed error is the rate's, half the lengths'; each
		// kind of stop takes its share.
		alpha := (1 - confidence) / float64(2*len(stops))
		f := r.LostPerStop(s.Length, 1-alpha)
		rate := s.Rate
		if n := s.Length.Samples; n > 0 {
			rate = float64(s.Rate * rateBound(float64(n), alpha) / float64(n))
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
	}
	return total
}

// RenewedRisk is the probability that an acquisition loses its lease, holds
// having the law given and stops losing it at the rate that LossRate gave.
// Holds that nothing ends must be capped at the maximum hold first. The
// sampling error is that of the stops.
func RenewedRisk(rate Figure, hold Band) Figure {
	f := Figure{
		Lower:         lostWithin(rate.Lower, hold.Lo),
		Upper:         lostWithin(rate.Upper, hold.Hi),
		AnyDependence: lostWithin(rate.AnyDependence, hold.Hi),
		Sampled:       lostWithin(rate.Sampled, hold.Hi),
		Estimate:      lostWithin(rate.Estimate, hold.estimate()),
		Extrapolated:  rate.Extrapolated || hold.Mid.Len() > 0,
		Wide:          rate.Wide,
	}
	if f.open() && f.Wide == "" {
		f.Wide = "the hold times are known to their buckets only: finer buckets narrow it"
	}
	if !f.open() {
		f.Wide = ""
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
