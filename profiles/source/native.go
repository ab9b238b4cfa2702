package source

import (
	"math"
	"sort"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// native is a histogram whose buckets come with both their bounds and are not
// cumulative: a Prometheus native histogram and its kin.
type native struct {
	count, sum float64
	buckets    []nativeBucket // ascending by right bound
	rounded    bool           // the bounds were printed with four digits
}

type nativeBucket struct {
	left, right string // decimals
	l, r, count float64
}

// parse reads the bounds and says what is wrong with them, if anything.
func (h *native) parse() string {
	if math.IsNaN(h.count) || h.count < 0 || h.count > exactCounts {
		return "with an impossible count"
	}
	for i := range h.buckets {
		b := &h.buckets[i]
		var okl, okr bool
		b.l, okl = number([]byte(b.left))
		b.r, okr = number([]byte(b.right))
		switch {
		case !okl || !okr || !(b.l < b.r):
			return "with a bucket from " + show(b.left) + " to " + show(b.right)
		case !(b.count >= 0) || b.count > exactCounts:
			return "with an impossible bucket count"
		}
	}
	sort.SliceStable(h.buckets, func(i, j int) bool { return h.buckets[i].r < h.buckets[j].r })
	return ""
}

// negative is the number of samples below 0, beyond the zero bucket.
func (h *native) negative() float64 {
	n := 0.0
	for _, b := range h.buckets {
		if b.r < 0 {
			n += b.count
		}
	}
	return n
}

// dust is the most that a sum of fractions may miss a whole number by.
func dust(sum float64) float64 { return min(1e-9*sum, 1e-6) }

// addTo adds the samples. Counts may be fractions: as for classic buckets,
// the cumulative ones are rounded down and the whole up. Samples in no bucket
// (NaN) are not known to be short.
func (h *native) addTo(b *dist.Builder, unit time.Duration) bool {
	var sum float64
	for _, bucket := range h.buckets {
		sum += bucket.count
	}
	complete := h.count-sum <= dust(sum)
	whole := uint64(math.Ceil(max(h.count, sum) - dust(sum)))
	var before uint64
	cumulative := 0.0
	for i, bucket := range h.buckets {
		cumulative += bucket.count
		below := min(uint64(math.Floor(cumulative+dust(cumulative))), whole)
		if i == len(h.buckets)-1 && complete {
			below = whole
		}
		lo, hi := time.Duration(0), dist.Inf
		if bucket.l > 0 {
			down, _, ok := scaled([]byte(bucket.left), unit)
			if !ok {
				return false
			}
			if lo = h.outward(down, -1); lo == dist.Inf {
				lo = 0 // no duration: nothing is known of it
			}
		}
		if !math.IsInf(bucket.r, 1) {
			_, up, ok := scaled([]byte(bucket.right), unit)
			if !ok && bucket.r > 0 {
				return false
			}
			hi = h.outward(up, 1)
		}
		b.AddRange(min(lo, hi), hi, below-before)
		before = below
	}
	b.AddRange(0, dist.Inf, whole-before)
	return true
}

// beyond is the number of samples above every duration.
func (h *native) beyond(unit time.Duration) (n float64) {
	for _, b := range h.buckets {
		if b.l*float64(unit) >= math.MaxInt64 {
			n += b.count
		}
	}
	return n
}

// outward moves a bound by what the rounding of its print may have cost: half
// of the fourth digit, up to 0.05 %.
func (h *native) outward(d, sign time.Duration) time.Duration {
	if !h.rounded || d == dist.Inf {
		return d
	}
	return max(0, d+sign*(d/2000+1))
}

// nativeRun adds up a native histogram's growth over time. A restart shows in
// the whole histogram: any count that falls means that all began again.
type nativeRun struct {
	prev  *native
	grown []nativeBucket
	count float64
	sum   float64
	steps int

	fell, fractions bool // what counters do only when they restart, or never
}

func (r *nativeRun) step(h *native) {
	r.steps++
	r.fractions = r.fractions || h.count != math.Trunc(h.count)
	if r.prev == nil {
		r.prev = h
		return
	}
	before, same := within(r.prev, h)
	if !same {
		r.fell = true
		before = make([]float64, len(h.buckets))
		r.count += h.count
		r.sum += h.sum
	} else {
		r.count += h.count - r.prev.count
		r.sum += h.sum - r.prev.sum
	}
	for i, b := range h.buckets {
		if b.count -= before[i]; b.count > 0 {
			r.grown = append(r.grown, b)
		}
	}
	if len(r.grown) > 1<<12 {
		r.fold()
	}
	r.prev = h
}

// fold adds equal buckets together.
func (r *nativeRun) fold() {
	sort.SliceStable(r.grown, func(i, j int) bool {
		a, b := r.grown[i], r.grown[j]
		return a.r < b.r || a.r == b.r && a.l < b.l
	})
	kept := r.grown[:0]
	for _, b := range r.grown {
		if n := len(kept); n > 0 && kept[n-1].l == b.l && kept[n-1].r == b.r {
			kept[n-1].count += b.count
			continue
		}
		kept = append(kept, b)
	}
	r.grown = kept
}

// total is the growth as one histogram.
func (r *nativeRun) total() *native {
	r.fold()
	return &native{count: r.count, sum: r.sum, buckets: r.grown}
}

// within maps the counts of an earlier histogram onto the buckets of a later
// one, whose resolution may have been reduced in between. It is false when
// any count fell or has no bucket to lie in: a restart.
func within(earlier, later *native) (counts []float64, ok bool) {
	if later.count < earlier.count*(1-slack) {
		return nil, false
	}
	counts = make([]float64, len(later.buckets))
	at := 0
	for _, b := range earlier.buckets {
		if b.count == 0 {
			continue
		}
		for at < len(later.buckets) && later.buckets[at].r < b.r {
			at++
		}
		if at == len(later.buckets) || later.buckets[at].l > b.l {
			return nil, false
		}
		counts[at] += b.count
	}
	for i, n := range counts {
		if later.buckets[i].count < n*(1-slack) {
			return nil, false
		}
	}
	return counts, true
}
