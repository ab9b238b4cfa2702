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

// capped is what a client sees that gives up after a time: late says how late
// its timer fires.
func capped(values []float64, after float64, late func() float64) (seen []float64, cut int) {
	for _, v := range values {
		if v >= after {
			v, cut = after+late(), cut+1
		}
		seen = append(seen, v)
	}
	return seen, cut
}

func ofSeconds(values []float64) *Observation {
	var b dist.Builder
	for _, v := range values {
		v := time.Duration(v * 1e9).Truncate(time.Microsecond)
		b.AddRange(v, v, 1)
	}
	return &Observation{Dist: b.Dist()}
}

// Timers fire late, one timeout is tried after the other, some calls slip
// through, and not every timeout is round: of the calls that were cut off, and
// of those alone, nobody knows how long they would have taken.
func TestTimeoutsOfEveryKind(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	exactly := func() float64 { return 0 }
	within := func(span float64) func() float64 { return func() float64 { return random.Float64() * span } }
	for seed := range uint64(5) {
		work := drawn(laws["lognormal"], 20_000, seed)
		for i := range work {
			work[i] *= 0.015 // seconds
		}
		for name, c := range map[string]struct {
			after float64
			late  func() float64
			more  []float64
		}{
			"2ms":           {1, within(0.002), nil},
			"4ms":           {1, within(0.004), nil},
			"10ms":          {1, within(0.010), nil},
			"early":         {0.997, within(0.003), nil},
			"of a minute":   {0.600, within(0.003), nil},
			"one longer":    {1, within(0.001), []float64{1.5}},
			"one too late":  {1, within(0.004), []float64{1.030}},
			"tried again":   {1, within(0.001), []float64{2.0002, 2.0003, 2.0001, 2.0004, 2.0002, 2.0003, 2.0001, 2.0004, 2.0002, 2.0003, 2.0001, 2.0004}},
			"a few again":   {1, within(0.001), []float64{2.0001, 2.0001, 2.0002, 2.0002}},
			"of 1.1s":       {1.1, exactly, nil},
			"of 650ms":      {0.65, exactly, nil},
			"of 256ms":      {0.256, exactly, nil},
			"256ms, longer": {0.256, exactly, []float64{0.4}},
		} {
			seen, cut := capped(work, c.after, c.late)
			if cut < 25 {
				t.Fatalf("%s: only %d are cut off", name, cut)
			}
			o := ofSeconds(append(seen, c.more...))
			o.censor()
			want := uint64(cut + len(c.more))
			open := uint64(0)
			for b := range o.Dist.All() {
				if b.Hi == dist.Inf {
					open += b.Count
				}
			}
			if _, told := has(o, "LP202"); !told || open < want || open > want+5 {
				t.Errorf("%s, seed %d: %d of %d cut off are open, %v", name, seed, open, want, o.Findings)
			}
		}
	}
}

// More than a tenth at the very same time, far above all others: not work.
func TestManyAtATimeout(t *testing.T) {
	work := drawn(laws["lognormal"], 20_000, 1)
	var fast []float64
	for _, v := range work {
		if v *= 0.015; v < 0.9 {
			fast = append(fast, v)
		}
	}
	for range 3000 {
		fast = append(fast, 5)
	}
	o := ofSeconds(fast)
	if o.censor(); o.Dist.Max().Upper != dist.Inf || o.Dist.Max().Lower < 4900*time.Millisecond {
		t.Errorf("%v, %v", o.Dist.Max(), o.Findings)
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
				for _, clock := range []time.Duration{time.Nanosecond, time.Millisecond, 100 * time.Millisecond, time.Second} {
					var b dist.Builder
					for _, v := range values { // the longest lies just above a round time
						v := time.Duration(v / longest * 5.004e9).Truncate(clock)
						b.AddRange(v, v, 1)
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
		if o.Dist.Max().Upper > 2002*time.Millisecond {
			t.Errorf("%d fast ones: %v", fast, o.Dist.Max())
		}
		if _, ok := has(o, "LP202"); !ok {
			t.Errorf("%d fast ones: not told", fast)
		}
	}
	// Round trips and stops have no such timeout: a lost reply is one already.
	o := mustText(t, strings.Repeat("3ms\n", 5000)+strings.Repeat("2000ms\n", 50), Query{Measures: RTT})
	if _, cut := has(o, "LP202"); cut || o.Dist.Max().Upper != 2*time.Second {
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

// 6000 samples below 0.3 s and some at a round time, up to 2 % late, with
// nothing near below: from three on they are timeouts, also where a shorter one
// was tried before. Two may be chance, and so may what is at no round time.
func TestFewTimeoutsWithNothingBelow(t *testing.T) {
	body := func() (values []float64) {
		for _, v := range drawn(func(u float64) float64 { return 0.02 * math.Exp(0.5*math.Sqrt2*math.Erfinv(2*u-1)) }, 6000, 5) {
			values = append(values, min(v, 0.3))
		}
		return values
	}
	spread := func(values []float64, from, width float64, n int) []float64 {
		for i := range n {
			values = append(values, from+width*float64(i)/float64(max(n-1, 1)))
		}
		return values
	}
	for name, c := range map[string]struct {
		values []float64
		from   float64 // of what is unbounded; 0 is nothing
	}{
		"nine":               {spread(body(), 3, 0.01, 9), 3},
		"three":              {spread(body(), 3, 0.01, 3), 3},
		"two":                {spread(body(), 3, 0.01, 2), 0},
		"three at 2.2 s":     {spread(body(), 2.2, 0.01, 3), 0},
		"three far apart":    {spread(body(), 3, 0.5, 3), 0},
		"three above a tail": {spread(spread(body(), 1.8, 1.1, 4), 3, 0.01, 3), 0},
		"forty, then six":    {spread(spread(body(), 1, 0.019, 40), 2, 0.03, 6), 1},
		"five, then three":   {spread(spread(body(), 1, 0.01, 5), 2, 0.02, 3), 1},
	} {
		o := ofSeconds(c.values)
		o.censor()
		f, told := has(o, "LP202")
		if told != (c.from > 0) {
			t.Errorf("%s: %v", name, o.Findings)
			continue
		}
		unbounded, want := uint64(0), uint64(0)
		for b := range o.Dist.All() {
			if b.Hi == dist.Inf {
				unbounded += b.Count
			}
		}
		for _, v := range c.values {
			if c.from > 0 && v >= c.from {
				want++
			}
		}
		if unbounded != want {
			t.Errorf("%s: %d samples are unbounded, want %d: %v", name, unbounded, want, f)
		}
	}
}

// Of a few values the longest is the next step of the work, with many samples and
// at a round time as well: it is told and bounds. A thousand times longer than
// all others is no step.
func TestLongestOfAFewValues(t *testing.T) {
	for last, bounded := range map[int]bool{800: true, 30_000: false} {
		var list strings.Builder
		for value, n := range map[int]int{25: 4000, 100: 900, 400: 80, last: 300} {
			for range n {
				fmt.Fprintf(&list, "%d.000000ms\n", value)
			}
		}
		o := mustText(t, list.String(), Query{})
		if f, ok := has(o, "LP202"); !ok || f.Severity != finding.Warning {
			t.Errorf("%d ms: %v", last, o.Findings)
		}
		want := dist.Inf
		if bounded {
			want = time.Duration(last) * time.Millisecond
		}
		if top := o.Dist.Max().Upper; top != want {
			t.Errorf("%d ms: longest %v", last, top)
		}
	}
}
