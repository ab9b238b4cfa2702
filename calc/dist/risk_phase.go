package dist

import (
	"sort"
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// danger is how many losing stops are expected to begin between a confirmed
// renewal and u after it: straight pieces, ever steeper, for a stop that
// begins later needs less to lose the lease.
type danger struct {
	from  []time.Duration
	sum   []float64 // until from
	slope []float64 // per second, after it
}

// danger cuts off at the interval.
func (r Renewal) danger(stop Pauses) danger {
	end, s := max(0, r.Worth-r.Margin), stop.Length.Lo
	d := danger{[]time.Duration{0}, []float64{0}, []float64{float64(stop.Rate * s.Exceeds(end))}}
	for i := len(s.at) - 1; i >= 0; i-- {
		u, last := end-s.at[i], len(d.from)-1
		if u >= r.Interval {
			break
		}
		if u >= 0 {
			d.from = append(d.from, u)
			d.sum = append(d.sum, d.sum[last]+float64(d.slope[last]*(u-d.from[last]).Seconds()))
			d.slope = append(d.slope, float64(stop.Rate*s.from[i]))
		}
	}
	return d
}

func (d danger) until(u time.Duration) float64 {
	at := sort.Search(len(d.from), func(i int) bool { return d.from[i] > u }) - 1
	return d.sum[at] + float64(d.slope[at]*(u-d.from[at]).Seconds())
}

// lostAtLeast bounds the chance of at least one loss during a hold from
// below. Undisturbed, the renewals are an interval apart and a hold of h
// meets the danger of its whole intervals and of the part that is left.
// Longer gaps between renewals mean more danger, the sum being convex. A stop
// that is outlived skips the danger of its own length, at most that just
// before a renewal; with stops that begin at random, the mean of
// exp(-danger met) is at most exp(-danger) times that of exp(skipped), which
// has a closed form.
func (r Renewal) lostAtLeast(stops []Pauses, hold Steps) float64 {
	interval := max(r.Interval, 1)
	var kinds []danger
	for _, s := range stops {
		kinds = append(kinds, r.danger(s))
	}
	until := func(u time.Duration) float64 {
		sum := 0.0
		for _, d := range kinds {
			sum += d.until(u)
		}
		return sum
	}
	whole := until(interval)
	skipped := 0.0 // per second of holding
	for _, s := range stops {
		for i, x := range s.Length.Hi.at {
			skipped += float64(float64(s.Rate*s.Length.Hi.mass[i]) * portable.Expm1(whole-until(interval-min(x, interval))))
		}
	}
	sum := 0.0
	for i, h := range hold.at {
		if h == Inf {
			if whole > 0 {
				sum += hold.mass[i]
			}
			continue
		}
		met := float64(float64(h/interval)*whole) + until(h%interval) - float64(skipped*h.Seconds())
		if met > 0 {
			sum += float64(hold.mass[i] * -portable.Expm1(-met))
		}
	}
	return min(1, sum)
}
