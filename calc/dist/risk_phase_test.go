package dist

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A hold shorter than the interval has no stop late in it: of holds of 300 ms
// with renewals every 500 ms, a stop of 1.2 s loses a lease of 1.5 s less
// 100 ms only when it begins after 200 ms, so the last third of the hold
// counts, where a uniform u would have half of it.
func TestHoldShorterThanTheInterval(t *testing.T) {
	r := Renewal{Worth: 1500 * ms, Interval: 500 * ms, Margin: 100 * ms}
	f := r.Risk([]Pauses{{Rate: 0.01, Length: Point(1200 * ms)}}, Point(300*ms), 0.95)
	want := -math.Expm1(-0.01 * 0.1)
	if f.Lower > want || f.Lower < 0.9*want || f.Upper < want {
		t.Errorf("[%g, %g] misses %g", f.Lower, f.Upper, want)
	}
	if f := r.Risk([]Pauses{{Rate: 0.01, Length: Point(1200 * ms)}}, Point(200*ms), 0.95); f.Lower > 0 {
		t.Errorf("a hold that ends before the first dangerous moment: %g", f.Lower)
	}
}

// Holds played one by one, stops that move the renewals and all: the share
// that is lost is in the bracket, with its own sampling error.
func TestRenewedBracketHoldsPlayedLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		interval := time.Duration(100+r.IntN(400)) * ms
		k := Renewal{Worth: interval + time.Duration(100+r.IntN(1500))*ms, Interval: interval, Margin: time.Duration(r.IntN(100)) * ms}
		stop := Pauses{Rate: 0.05 + r.Float64(), Length: Law([]time.Duration{
			time.Duration(1+r.IntN(200)) * ms, time.Duration(1+r.IntN(2000)) * ms, time.Duration(1+r.IntN(2000)) * ms}, []float64{0.5, 0.3, 0.2})}
		hold := time.Duration(50+r.IntN(3000)) * ms
		f := k.Risk([]Pauses{stop}, Point(hold), 0.95)
		const trials = 20_000
		lost := 0
		for range trials {
			if playedLoss(r, k, stop, hold) {
				lost++
			}
		}
		got := float64(lost) / trials
		slack := 4*math.Sqrt((got+1e-3)/trials) + 1e-4
		if got < f.Lower-slack || got > f.Upper+slack {
			t.Errorf("%+v, stops %+v, hold %v: played %g, [%g, %g]", k, stop, hold, got, f.Lower, f.Upper)
		}
		if f.Lower > f.Upper || f.Upper > f.AnyDependence || f.Upper > f.Sampled {
			t.Errorf("%+v is out of order", f)
		}
	}
}

func playedLoss(r *rand.Rand, k Renewal, stop Pauses, hold time.Duration) bool {
	renewed, worked, now := time.Duration(0), time.Duration(0), time.Duration(0)
	for {
		next := time.Duration(r.ExpFloat64() / stop.Rate * float64(time.Second))
		worked += next
		if worked >= hold {
			return false
		}
		now += next
		renewed += (now - renewed) / k.Interval * k.Interval
		x, _ := stop.Length.Lo.Atom(0)
		for q, i := r.Float64(), 0; q >= 0 && i < stop.Length.Lo.Len(); i++ {
			v, mass := stop.Length.Lo.Atom(i)
			x, q = v, q-mass
		}
		if x > k.Worth-(now-renewed)-k.Margin {
			return true
		}
		if now += x; now-renewed >= k.Interval {
			renewed = now
		}
	}
}
