package tradeoff

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/portable"
	"github.com/lockplan/lockplan/calc/risk"
)

// Costs are what the two ways to fail cost, in one unit of money.
type Costs struct {
	FalseExpiry   float64 // one lease lost to a slow holder
	BlockedSecond float64 // one second in which a dead holder blocks the key
	CrashRate     float64 // holders that die, per second
}

// Optimum is the TTL of least expected cost and how much it matters.
type Optimum struct {
	TTL  time.Duration
	Cost float64 // a day
	// From and To are the TTLs whose cost is at most a tenth above the least.
	From, To time.Duration
	// Free is the TTL of least cost when neither T_min nor the RTO counts.
	Free     time.Duration
	FreeCost float64
	// Unresolved marks an optimum at which the false expiry is smaller than the
	// figure can say: a longer TTL may cost less still.
	Unresolved bool
	// Row is that of the TTL.
	Row Row
}

// resolved is the least false expiry that is weighed; what the figure says
// below is the end of its sums rather than of the law.
const resolved = 1e-15

// optimumSteps is how many TTLs are tried, evenly on a logarithmic scale.
const optimumSteps = 96

// Optimise finds the feasible TTL of least expected cost a day: false
// expiries at their estimate, and the mean takeover after each crash. ok is
// false when there is no feasible TTL or the risk is not known.
func (t *Table) Optimise(c Costs) (best Optimum, ok bool) {
	s := t.Solution
	least, most := s.TTLMin, 20*s.TTLMin
	if s.HasMax {
		most = s.TTLMax
	}
	if !s.Solved || most < least {
		return best, false
	}
	low, high := s.TTLMin/4, max(most, 20*s.TTLMin)
	tries := append(logSteps(low, high, optimumSteps), logSteps(least, most, optimumSteps)...)
	tries = append(tries, least, most)
	scan := *t
	scan.reckoner = risk.New(t.In, t.evidence, low, high)
	costs := make([]float64, len(tries))
	best.Cost, best.FreeCost = math.Inf(1), math.Inf(1)
	for i, ttl := range tries {
		row := scan.row(ttl)
		if row.PerDay == nil {
			return best, false
		}
		costs[i] = float64(*row.PerDay*c.FalseExpiry) + float64(float64(c.CrashRate*day)*float64(row.TakeoverMean.Seconds()*c.BlockedSecond))
		if costs[i] < best.FreeCost {
			best.Free, best.FreeCost = ttl, costs[i]
		}
		if ttl >= least && ttl <= most && costs[i] < best.Cost {
			best.TTL, best.Cost, best.Row = ttl, costs[i], row
			best.Unresolved = row.Risk.Estimate < resolved && resolved*t.In.AcquireRate*day*c.FalseExpiry > 0.01*costs[i]
		}
	}
	best.Row.Names = []string{"least cost"}
	best.From, best.To = best.TTL, best.TTL
	for i, ttl := range tries {
		if ttl >= least && ttl <= most && costs[i] <= 1.1*best.Cost {
			best.From, best.To = min(best.From, ttl), max(best.To, ttl)
		}
	}
	return best, true
}

// logSteps are n TTLs from low to high, in whole milliseconds where they are
// longer than one.
func logSteps(low, high time.Duration, n int) []time.Duration {
	var out []time.Duration
	span := portable.Log(float64(high) / float64(low))
	for i := range n {
		v := time.Duration(float64(float64(low) * portable.Exp(float64(span*float64(i))/float64(n-1))))
		if v > time.Millisecond {
			v -= v % time.Millisecond
		}
		if v > 0 {
			out = append(out, min(max(v, low), high))
		}
	}
	return out
}

// Add puts the optimum among the rows.
func (t *Table) Add(o Optimum) {
	at, found := slices.BinarySearchFunc(t.Rows, o.TTL, func(r Row, ttl time.Duration) int { return cmp.Compare(r.Lease.TTL, ttl) })
	if found {
		t.Rows[at].Names = append(t.Rows[at].Names, o.Row.Names...)
		return
	}
	t.Rows = slices.Insert(t.Rows, at, o.Row)
}
