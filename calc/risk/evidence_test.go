package risk

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
)

const ms = time.Millisecond

func resolved(t *testing.T, in calc.Inputs) calc.Inputs {
	t.Helper()
	in, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// The seed plan: T = 800 ms + 1.5 s + 700 ms is lost by holds beyond P99.9,
// one in a thousand, when every one of them meets a full pause and a full
// margin.
func TestClaimedPlan(t *testing.T) {
	in := resolved(t, calc.Inputs{Hold: calc.Claim(800*ms, "--p999"), Pause: calc.Claim(1500*ms, "--pause")})
	e := Evidence{Claims: []dist.Percentile{{Q: 0.999, Value: 800 * ms}}}
	got := New(in, e, 3*time.Second, 3*time.Second).Lease(calc.Lease{TTL: 3 * time.Second}, 800*ms)
	if !got.Known || math.Abs(got.Upper-0.001) > 1e-8 || got.Sampled != got.Upper || got.Lower != 0 {
		t.Errorf("got %+v, want at most 0.001", got)
	}
	if !got.Extrapolated || got.Basis == "" {
		t.Errorf("an estimate from claims is not marked: %+v", got)
	}
}

// K2 by hand: 36 stops of 25 s in 36 h, T 30 s, I 10 s, M 0: half of them
// lose the lease, and a hold of 2 h meets two.
func TestRenewedPlan(t *testing.T) {
	var pauses, holds dist.Builder
	pauses.AddRange(25*time.Second, 25*time.Second, 36)
	holds.AddRange(2*time.Hour, 2*time.Hour, 1000)
	in := resolved(t, calc.Inputs{Margin: calc.Claim(0, "--margin"), Mode: calc.Renewed})
	e := Evidence{Hold: holds.Dist(), Pauses: pauses.Dist(), Window: 36 * time.Hour}
	l := calc.Lease{TTL: 30 * time.Second, Interval: 10 * time.Second, Call: time.Second, Spacing: 10 * time.Second}
	got := New(in, e, l.TTL, l.TTL).Lease(l, 24*time.Hour)
	// The stops themselves move the renewals after them: by 10 s an hour at most.
	if want := 1 - math.Exp(-1); got.Estimate < want || got.Estimate > want+2e-3 || got.Lower > want || got.Lower < want-2e-3 {
		t.Errorf("lost with %g, want %g", got.Estimate, want)
	}
	if got.Sampled <= got.Upper {
		t.Errorf("36 stops have no sampling error: %+v", got)
	}
	// A maximum hold of 1 h halves the exposure.
	got = New(in, e, l.TTL, l.TTL).Lease(l, time.Hour)
	if want := 1 - math.Exp(-0.5); got.Estimate < want || got.Estimate > want+2e-3 {
		t.Errorf("capped: lost with %g, want %g", got.Estimate, want)
	}
}

// Without a rate of pauses nothing can be said of a renewed lease.
func TestUnknown(t *testing.T) {
	in := resolved(t, calc.Inputs{Hold: calc.Claim(800*ms, "--p999"), Pause: calc.Claim(1500*ms, "--pause")})
	l := calc.Lease{TTL: 9 * time.Second, Interval: 3 * time.Second, Call: 700 * ms, Spacing: 3 * time.Second}
	got := New(in, Evidence{Claims: []dist.Percentile{{Q: 0.999, Value: 800 * ms}}}, l.TTL, l.TTL).Lease(l, time.Minute)
	if got.Known || got.Basis == "" {
		t.Errorf("got %+v", got)
	}
	// A log of a single stop has no time between stops.
	var one dist.Builder
	one.AddRange(time.Second, time.Second, 1)
	got = New(in, Evidence{Pauses: one.Dist()}, l.TTL, l.TTL).Lease(l, time.Minute)
	if got.Known || !strings.Contains(got.Basis, "a single stop") {
		t.Errorf("got %+v", got)
	}
}

func TestCovered(t *testing.T) {
	var holds dist.Builder
	holds.AddRange(0, 100*ms, 990)
	holds.AddRange(100*ms, 200*ms, 10)
	in := resolved(t, calc.Inputs{Hold: calc.Claim(200*ms, "x")})
	low, high, known := New(in, Evidence{Hold: holds.Dist()}, ms, ms).Covered(150 * ms)
	if !known || low != 0.99 || math.Abs(high-1) > 1e-12 && math.Abs(high-0.99) > 1e-12 {
		t.Errorf("covered %g to %g", low, high)
	}
}
