package sim

import (
	"math"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

func steps(mean, until time.Duration, n int) dist.Band {
	values := make([]time.Duration, n)
	p := make([]float64, n)
	over := 1.0
	for i := range n {
		values[i] = until * time.Duration(i+1) / time.Duration(n)
		next := math.Exp(-values[i].Seconds() / mean.Seconds())
		if i == n-1 {
			next = 0
		}
		p[i] = over - next
		over = next
	}
	return dist.Law(values, p)
}

// Rare losses against the convolution, which is exact on these laws: the 99 %
// interval is within 10 % and holds the exact value.
func TestRareAgainstExact(t *testing.T) {
	hold := steps(100*ms, 1500*ms, 60)
	length := dist.Law([]time.Duration{20 * ms, 100 * ms, 400 * ms}, []float64{0.7, 0.25, 0.05})
	network := dist.Law([]time.Duration{ms, 5 * ms, 50 * ms}, []float64{0.9, 0.09, 0.01})
	misses := 0
	cases := 0
	for _, rate := range []float64{0, 0.05, 1} {
		for _, worth := range []time.Duration{time.Second, 1520 * ms, 1900 * ms, 2400 * ms} {
			p := dist.Parts{Hold: hold, Pauses: dist.Pauses{Rate: rate, Length: length}, Network: network}
			f := dist.NewFixedRisk(p, worth, worth, 0.95).At(worth)
			if f.Lower == 0 {
				continue
			}
			e, ok := Rare{Hold: hold.Hi, Length: length.Hi, Network: network.Hi, PauseRate: rate, Worth: worth}.Run(1, 0.1, 1<<26, nil)
			t.Logf("rate %g T %v: exact [%.4g %.4g], sampled %.4g [%.4g %.4g] in %d draws", rate, worth, f.Lower, f.Upper, e.Value, e.Low, e.High, e.Draws)
			cases++
			if !ok {
				t.Errorf("rate %g T %v: no estimate", rate, worth)
			}
			if e.Width() > 0.1 {
				t.Errorf("rate %g T %v: ± %.0f %% after %d draws", rate, worth, 100*e.Width(), e.Draws)
			}
			if f.Upper < e.Low || f.Lower > e.High {
				misses++
			}
		}
	}
	if misses > 1 {
		t.Errorf("%d of %d exact values outside", misses, cases)
	}
}

// About 1e-9 per acquisition.
func BenchmarkRare(b *testing.B) {
	c := Rare{
		Hold: steps(100*ms, 1500*ms, 60).Hi, PauseRate: 0.05, Worth: 1920 * ms,
		Length:  dist.Law([]time.Duration{20 * ms, 100 * ms, 400 * ms}, []float64{0.7, 0.25, 0.05}).Hi,
		Network: dist.Law([]time.Duration{ms, 5 * ms, 50 * ms}, []float64{0.9, 0.09, 0.01}).Hi,
	}
	var e Estimate
	for b.Loop() {
		e, _ = c.Run(1, 0.1, 1<<26, nil)
	}
	b.ReportMetric(e.Value*1e9, "1e-9")
	b.ReportMetric(100*e.Width(), "%")
}

// Laws that are narrow beside T need tilts at which e^(theta x) is beyond a
// float64: there is an estimate all the same, and the exact value agrees.
func TestRareFarFromWorth(t *testing.T) {
	for _, longest := range []time.Duration{ms, 5 * ms, 100 * ms, 5 * time.Second} {
		for _, pause := range []time.Duration{0, 200 * ms, 8 * time.Second, time.Minute} {
			for _, margin := range []time.Duration{5 * ms, 700 * ms} {
				worth := longest + pause + margin
				hold := steps(longest/7, longest*5/4, 64)
				network := dist.Law([]time.Duration{pause, pause + margin}, []float64{0.999, 0.001})
				p := dist.Parts{Hold: hold, Network: network}
				f := dist.NewFixedRisk(p, worth, worth, 0.95).At(worth)
				e, ok := Rare{Hold: hold.Hi, Network: network.Hi, Worth: worth}.Run(1, 0.1, 1<<20, nil)
				if !ok || math.IsNaN(e.Low) || math.IsInf(e.High, 0) || f.Upper < e.Low*0.99 || f.Lower > e.High*1.01 {
					t.Errorf("h %v P %v M %v: exact [%.4g %.4g], sampled %.4g [%.4g %.4g] %v", longest, pause, margin, f.Lower, f.Upper, e.Value, e.Low, e.High, ok)
				}
			}
		}
	}
}

// A call that is never answered loses the lease, as a hold without an end
// does.
func TestRareWithoutEnd(t *testing.T) {
	hold := dist.Law([]time.Duration{ms, dist.Inf}, []float64{0.75, 0.25}).Hi
	network := dist.Law([]time.Duration{0, dist.Inf}, []float64{0.5, 0.5}).Hi
	e, ok := Rare{Hold: hold, Network: network, Worth: time.Second}.Run(1, 0.01, 1<<22, nil)
	if want := 0.25 + 0.75*0.5; !ok || e.Low > want || e.High < want {
		t.Errorf("%+v %v, want %v", e, ok, want)
	}
}

// What is below every float64 is not known to be impossible: more than a
// hundred pauses in one second, at one in 30 years.
func TestRareBeyondFloat(t *testing.T) {
	hold := dist.Law([]time.Duration{time.Second}, []float64{1}).Hi
	length := dist.Law([]time.Duration{ms}, []float64{1}).Hi
	if e, ok := (Rare{Hold: hold, Length: length, PauseRate: 1e-9, Worth: 1100 * ms}).Run(1, 0.1, 1<<18, nil); ok {
		t.Errorf("%+v", e)
	}
	none, ok := Rare{Hold: hold, Worth: 1100 * ms}.Run(1, 0.1, 1<<18, nil)
	if !ok || none.High != 0 {
		t.Errorf("%+v %v: nothing can lose it", none, ok)
	}
}
