package tradeoff

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/risk"
)

const ms = time.Millisecond

func make1(t *testing.T, in calc.Inputs, e risk.Evidence) *Table {
	t.Helper()
	in, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return Make(in, calc.Solve(in), e)
}

func seed() (calc.Inputs, risk.Evidence) {
	return calc.Inputs{
		Hold: calc.Claim(800*ms, "--p999"), HoldP99: calc.Claim(200*ms, "--p99"), Pause: calc.Claim(1500*ms, "--pause"),
		RTO: calc.Claim(5*time.Second, "--rto"), AcquireRate: 50, Holders: 1,
	}, risk.Evidence{Claims: []dist.Percentile{{Q: 0.99, Value: 200 * ms}, {Q: 0.999, Value: 800 * ms}}}
}

// Worked numbers: T_min 3 s, RTO 5 s leaves T_max 4.3 s; 30 s misses it by
// 25.7 s; 50 callers a second arrive in 3.7 s of takeover.
func TestSeedTable(t *testing.T) {
	in, e := seed()
	table := make1(t, in, e)
	rows := map[time.Duration]Row{}
	for _, r := range table.Rows {
		rows[r.Lease.TTL] = r
	}
	r := rows[3*time.Second]
	if !r.Recommended || !r.Feasible || !slices.Contains(r.Names, "T_min") {
		t.Errorf("3s: %+v", r)
	}
	if r.TakeoverWorst != 3700*ms || *r.RTOSpare != 1300*ms || math.Abs(*r.CallersBlocked-185) > 1e-9 || r.PauseSurvived != 1500*ms {
		t.Errorf("3s: takeover %v, spare %v, blocked %v, pause %v", r.TakeoverWorst, *r.RTOSpare, *r.CallersBlocked, r.PauseSurvived)
	}
	if math.Abs(*r.CoveredLow-0.999) > 1e-9 || math.Abs(r.Risk.Upper-0.001) > 1e-8 {
		t.Errorf("3s covers %v, lost at most %v", *r.CoveredLow, r.Risk.Upper)
	}
	// K3: 0.1 % of 50/s is 4320 a day.
	if math.Abs(*r.PerDay-4320) > 1 {
		t.Errorf("per day %v, want 4320", *r.PerDay)
	}
	if r := rows[4300*ms]; !r.Feasible || *r.RTOSpare != 0 || !slices.Contains(r.Names, "T_max") {
		t.Errorf("4.3s: %+v", r)
	}
	if r := rows[30*time.Second]; r.Feasible || *r.RTOSpare != -25700*ms || !slices.Contains(r.Names, "common default") {
		t.Errorf("30s: %+v", r)
	}
	if r := rows[2*time.Second]; r.Feasible || *r.BelowMin != time.Second {
		t.Errorf("2s: %+v", r)
	}
	if r := rows[300*ms]; !slices.Contains(r.Names, "1.5x P99") {
		t.Errorf("300ms: %+v", r)
	}
	if !slices.IsSortedFunc(table.Rows, func(a, b Row) int { return int(a.Lease.TTL - b.Lease.TTL) }) {
		t.Error("rows are not in order")
	}
}

// More TTL is never lost more often and never recovers sooner.
func TestRowsAreMonotone(t *testing.T) {
	in, e := seed()
	for _, mode := range []calc.Mode{calc.Fixed, calc.Renewed} {
		in.Mode = mode
		if mode == calc.Renewed {
			var pauses dist.Builder
			pauses.AddRange(time.Second, 2*time.Second, 10)
			pauses.AddRange(4*time.Second, 8*time.Second, 2)
			e.Pauses, e.Window = pauses.Dist(), 24*time.Hour
			in.RTO = calc.Claim(time.Minute, "--rto")
		}
		table := make1(t, in, e)
		last := Row{PauseSurvived: -time.Hour, Risk: risk.Risk{Figure: dist.Figure{Upper: 1, Estimate: 1, Sampled: 1, AnyDependence: 1}}}
		for _, r := range table.Rows {
			if !r.Risk.Known {
				t.Fatalf("%v: no risk: %s", mode, r.Risk.Basis)
			}
			if r.Risk.Upper > last.Risk.Upper || r.Risk.Estimate > last.Risk.Estimate || r.Risk.Sampled > last.Risk.Sampled {
				t.Errorf("%v %v: risk rises", mode, r.Lease.TTL)
			}
			// No bound is bettered by the rows around it.
			alone := risk.New(table.In, e, r.Lease.TTL, r.Lease.TTL).Lease(r.Lease, table.limit)
			if mode == calc.Renewed && (r.Risk.Upper < alone.Upper || r.Risk.AnyDependence < alone.AnyDependence || r.Risk.Sampled < alone.Sampled) {
				t.Errorf("%v: %+v, and by itself %+v", r.Lease.TTL, r.Risk, alone)
			}
			if r.TakeoverWorst <= last.TakeoverWorst || r.PauseSurvived < last.PauseSurvived {
				t.Errorf("%v %v: takeover or pause falls", mode, r.Lease.TTL)
			}
			last = r
		}
	}
}

// An exponential law has its optimum where the two marginal costs meet:
// d/dT of n·c·e^(-(T-P-M)/m) equals the cost of a second's crash.
func TestOptimum(t *testing.T) {
	var holds dist.Builder
	const mean = 100 * ms
	before := 1.0
	for at := ms; at < 4*time.Second; at += ms {
		over := math.Exp(-at.Seconds() / mean.Seconds())
		holds.AddRange(at, at, uint64((before-over)*1e15))
		before = over
	}
	in := calc.Inputs{Hold: calc.Claim(200*ms, "--p999"), Pause: calc.Claim(0, "--pause"), Margin: calc.Claim(0, "--margin"), AcquireRate: 10}
	table := make1(t, in, risk.Evidence{Hold: holds.Dist()})
	c := Costs{FalseExpiry: 100, BlockedSecond: 5, CrashRate: 1.0 / 86400}
	best, ok := table.Optimise(c)
	if !ok {
		t.Fatal("no optimum")
	}
	want := mean.Seconds() * math.Log(10*86400*100/(mean.Seconds()*5))
	if math.Abs(best.TTL.Seconds()-want) > 0.05*want {
		t.Errorf("optimum %v, want %.2fs", best.TTL, want)
	}
	if best.From >= best.TTL || best.To <= best.TTL {
		t.Errorf("flat from %v to %v", best.From, best.To)
	}
	if best.Free > best.TTL+time.Duration(0.03*float64(best.TTL)) {
		t.Errorf("free optimum %v", best.Free)
	}
	if best.Unresolved || best.Row.Lease.TTL != best.TTL {
		t.Errorf("%+v", best)
	}
	rows := len(table.Rows)
	table.Add(best)
	if len(table.Rows) != rows+1 || !slices.IsSortedFunc(table.Rows, func(a, b Row) int { return int(a.Lease.TTL - b.Lease.TTL) }) {
		t.Error("the optimum is not in its place")
	}
	// What lies below the last digits of the figure decides nothing.
	if best, ok := table.Optimise(Costs{FalseExpiry: 1e15, BlockedSecond: 1e-3, CrashRate: 1.0 / 86400}); !ok || !best.Unresolved {
		t.Errorf("costs that only a figure below 1e-15 could weigh: %+v", best)
	}
	// Without a rate nothing can be weighed.
	in.AcquireRate = 0
	if _, ok := make1(t, in, risk.Evidence{Hold: holds.Dist()}).Optimise(c); ok {
		t.Error("an optimum without a rate")
	}
}

// The library's quantum is above T_min: the rows begin at what it can have.
func TestRowsOfAShortLease(t *testing.T) {
	us := time.Microsecond
	in := calc.Inputs{Hold: calc.Claim(8*us, "--p999"), HoldP99: calc.Claim(2*us, "--p99"), Pause: calc.Claim(10*us, "--pause"), Margin: calc.Claim(us, "--margin")}
	table := make1(t, in, risk.Evidence{Claims: []dist.Percentile{{Q: 0.99, Value: 2 * us}, {Q: 0.999, Value: 8 * us}}})
	if table.Rows[0].Lease.TTL != ms || len(table.Rows) < 4 {
		t.Errorf("%d rows from %v", len(table.Rows), table.Rows[0].Lease.TTL)
	}
	curve := table.Curve(60)
	if first, last := curve[0].Lease.TTL, curve[len(curve)-1].Lease.TTL; first != table.Rows[0].Lease.TTL || last != table.Rows[len(table.Rows)-1].Lease.TTL {
		t.Errorf("the curve runs from %v to %v", first, last)
	}
}

// 20 rows of a plan with three observed laws, up to 30 s. "frequent" has 19
// pauses in the longest lease, which are summed by exposure.
func BenchmarkTable(b *testing.B) {
	hist := func(unit time.Duration, n int) *dist.Dist {
		var d dist.Builder
		lo := time.Duration(0)
		for i := range n {
			d.AddRange(lo, unit<<i, uint64(1e7)>>i)
			lo = unit << i
		}
		return d.Dist()
	}
	in, err := calc.Inputs{
		Hold: calc.Claim(800*ms, ""), HoldP99: calc.Claim(200*ms, ""), Pause: calc.Claim(200*ms, ""), RTT: calc.Claim(20*ms, ""),
		RTO: calc.Claim(20*time.Second, ""), AcquireRate: 50,
	}.Resolve()
	if err != nil {
		b.Fatal(err)
	}
	s := calc.Solve(in)
	for _, c := range []struct {
		name   string
		window time.Duration
	}{{"frequent", 365 * 24 * time.Hour}, {"seldom", 10 * 365 * 24 * time.Hour}} {
		e := risk.Evidence{Hold: hist(ms, 12), Pauses: hist(ms, 11), Window: c.window, RTTs: hist(ms/8, 10)}
		b.Run(c.name, func(b *testing.B) {
			rows := 0
			for b.Loop() {
				rows = len(Make(in, s, e).Rows)
			}
			b.ReportMetric(float64(rows), "rows")
		})
	}
}
