package source

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
)

// laws are tails without a timeout, by their quantile functions.
var laws = map[string]func(u float64) float64{
	"exponential": func(u float64) float64 { return -math.Log(1 - u) },
	"uniform":     func(u float64) float64 { return u },
	"pareto":      func(u float64) float64 { return math.Pow(1-u, -1) },
	"weibull":     func(u float64) float64 { return math.Pow(-math.Log(1-u), 0.25) }, // as light as a bell curve
	"lognormal":   func(u float64) float64 { return math.Exp(1.5 * math.Sqrt2 * math.Erfinv(2*u-1)) },
}

func drawn(law func(float64) float64, n int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = law(random.Float64())
	}
	return out
}

// A client that gives up after 5 s: of a Pareto law with P(X > x) = 0.005 s/x
// one of 1 000 took longer, up to minutes. The P99.9 that is read off is 5 s,
// what the timer says.
func TestTimeoutIsNoBound(t *testing.T) {
	for _, late := range []float64{0, 0.02} { // a timer is up to 20 ms late
		for seed := range uint64(5) {
			values := drawn(func(u float64) float64 { return 0.005 / (1 - u) }, 20_000, seed)
			longer := 0
			for i, v := range values {
				if v > 5 {
					longer++
					values[i] = 5 + late*float64(i%10)/10
				}
			}
			var list strings.Builder
			for _, v := range values {
				fmt.Fprintf(&list, "%.6fs\n", v)
			}
			o := mustText(t, list.String(), Query{})
			f, ok := has(o, "LP202")
			if !ok || f.Severity != finding.Warning || !strings.Contains(f.Message, fmt.Sprintf("last %d of 20000", longer)) || !strings.Contains(f.Message, "5s") {
				t.Errorf("%d took longer: %v", longer, o.Findings)
			}
			if top := o.Dist.Max(); top.Upper != dist.Inf || top.Lower < 5*time.Second-time.Microsecond || o.Mean != nil {
				t.Errorf("longest %v, mean %v", top, o.Mean)
			}
		}
	}
}

// The longest of a law without a timeout is no heap, wherever it happens to
// lie and however coarse the clock is.
func TestTailIsNoTimeout(t *testing.T) {
	for name, law := range laws {
		for _, n := range []int{300, 3000, 30_000} {
			for seed := range uint64(20) {
				values := drawn(law, n, seed)
				longest := 0.0
				for _, v := range values {
					longest = max(longest, v)
				}
				for _, clock := range []time.Duration{time.Nanosecond, time.Millisecond, 100 * time.Millisecond} {
					var b dist.Builder
					for _, v := range values { // the longest lies just above a round time
						b.Add(time.Duration(v / longest * 5.004e9).Truncate(clock))
					}
					o := &Observation{Dist: b.Dist()}
					if o.censor(); len(o.Findings) > 0 {
						t.Errorf("%s, %d samples, seed %d, a clock of %v: %v", name, n, seed, clock, o.Findings)
					}
				}
			}
		}
	}
}

// Work that takes 2 s is bounded: that is told, and stays a bound.
func TestHeapOfMostSamplesIsABound(t *testing.T) {
	for _, fast := range []int{0, 50, 800} {
		o := mustText(t, strings.Repeat("3ms\n", fast)+strings.Repeat("2000ms\n2001ms\n", 50), Query{})
		if o.Dist.Max().Upper > 2001*time.Millisecond {
			t.Errorf("%d fast ones: %v", fast, o.Dist.Max())
		}
		if _, ok := has(o, "LP202"); !ok {
			t.Errorf("%d fast ones: not told", fast)
		}
	}
	// Round trips and stops have no such timeout: a lost reply is one already.
	o := mustText(t, strings.Repeat("3ms\n", 5000)+strings.Repeat("2000ms\n", 50), Query{Measures: RTT})
	if o.Dist.Max().Upper != 2*time.Second || len(o.Findings) != 0 {
		t.Errorf("%v, %v", o.Dist.Max(), o.Findings)
	}
}

// A histogram knows a heap only to its bucket: that is told, no more.
func TestHistogramThatEndsInAHeap(t *testing.T) {
	page := func(last int) string {
		return fmt.Sprintf("h_seconds_bucket{le=\"1\"} 90000\nh_seconds_bucket{le=\"2.5\"} 90020\nh_seconds_bucket{le=\"5\"} %d\nh_seconds_bucket{le=\"10\"} %[1]d\nh_seconds_bucket{le=\"+Inf\"} %[1]d\n", 90_020+last)
	}
	for last, want := range map[int]bool{200: true, 15: false, 1: false, 0: false, 20_000: false} {
		o := mustText(t, page(last), Query{SinceStart: true})
		f, told := has(o, "LP202")
		if told != want || o.Dist.Max().Upper > 5*time.Second {
			t.Errorf("%d in the last bucket: %v, %v", last, f, o.Dist.Max())
		}
	}
}
