// Package dist holds a latency distribution that knows each sample only as
// well as its source did: exactly, or to the bucket it fell into. Every
// quantile is therefore an interval, and the end to plan with is the upper.
package dist

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sort"
	"time"
)

// Inf is an open end: longer than anything that was measured.
const Inf = time.Duration(math.MaxInt64)

// Bucket is Count samples of which is known that each lies in (Lo, Hi]; Lo ==
// Hi is an exact value. Hi is Inf in the open bucket. A bucket from 0 holds 0.
type Bucket struct {
	Lo, Hi time.Duration
	Count  uint64
}

// Dist is a multiset of samples known to their buckets. It does not change
// once built. The zero value has no samples.
type Dist struct {
	buckets []Bucket // ascending by Hi, then Lo
	atHi    []uint64 // samples in buckets[:i+1]
	lows    []low    // ascending by Lo; nil while buckets ascend by Lo too
}

type low struct {
	lo    time.Duration
	until uint64 // samples at or below lo's place in the order
}

// Interval is what is known of one order statistic: it lies in [Lower, Upper].
type Interval struct {
	Lower, Upper time.Duration
	// Interpolated assumes that samples are spread evenly over their bucket.
	// It is for reading beside Upper, never instead of it (B1).
	Interpolated    time.Duration
	HasInterpolated bool
	Rank            uint64 // 1-based; 0 when there is no such sample
}

// unknown is the answer where there is no sample to speak of.
var unknown = Interval{Upper: Inf}

func build(buckets []Bucket) *Dist {
	slices.SortFunc(buckets, func(a, b Bucket) int {
		return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo))
	})
	kept := buckets[:0]
	for _, b := range buckets {
		if last := len(kept) - 1; last >= 0 && kept[last].Hi == b.Hi && kept[last].Lo == b.Lo {
			kept[last].Count += b.Count
			continue
		}
		kept = append(kept, b)
	}
	d := &Dist{buckets: kept, atHi: make([]uint64, len(kept))}
	var total uint64
	sorted := true
	for i, b := range kept {
		total += b.Count
		d.atHi[i] = total
		sorted = sorted && (i == 0 || kept[i-1].Lo <= b.Lo)
	}
	if !sorted {
		d.lows = lowsOf(kept)
	}
	return d
}

func lowsOf(buckets []Bucket) []low {
	byLo := slices.Clone(buckets)
	slices.SortFunc(byLo, func(a, b Bucket) int { return cmp.Compare(a.Lo, b.Lo) })
	lows := make([]low, len(byLo))
	var total uint64
	for i, b := range byLo {
		total += b.Count
		lows[i] = low{b.Lo, total}
	}
	return lows
}

// Merge is the union of the samples. Layouts may differ: no count is moved to
// an edge that its source did not have, so the bounds stay rigorous.
func Merge(ds ...*Dist) *Dist {
	var b Builder
	for _, d := range ds {
		for bucket := range d.All() {
			b.AddRange(bucket.Lo, bucket.Hi, bucket.Count)
		}
	}
	return b.Dist()
}

// Longer is d where each sample may be longer by up to more, which is not
// negative; open ends stay open.
func (d *Dist) Longer(more time.Duration) *Dist {
	buckets := slices.Clone(d.buckets)
	for i, b := range buckets {
		if b.Hi != Inf {
			buckets[i].Hi += min(more, Inf-1-b.Hi)
		}
	}
	return build(buckets)
}

// Count is the number of samples.
func (d *Dist) Count() uint64 {
	if len(d.atHi) == 0 {
		return 0
	}
	return d.atHi[len(d.atHi)-1]
}

// All yields the buckets ascending by Hi, then Lo.
func (d *Dist) All() iter.Seq[Bucket] { return slices.Values(d.buckets) }

// Quantile is the nearest-rank quantile, the ceil(q*n)-th smallest sample,
// with q taken as the decimal it prints as (B1, B2). A q outside (0, 1], or no
// samples at all, gives [0, Inf] with rank 0.
func (d *Dist) Quantile(q float64) Interval { return d.AtRank(nearestRank(q, d.Count())) }

// AtRank bounds the rank-th smallest sample, counted from 1: at least rank
// samples are known to be at or below Upper, and fewer than rank are known to
// be below Lower. A rank that does not exist gives [0, Inf] with rank 0.
func (d *Dist) AtRank(rank uint64) Interval {
	if rank == 0 || rank > d.Count() {
		return unknown
	}
	at := sort.Search(len(d.atHi), func(i int) bool { return d.atHi[i] >= rank })
	iv := Interval{Lower: d.buckets[at].Lo, Upper: d.buckets[at].Hi, Rank: rank}
	if d.lows != nil {
		at := sort.Search(len(d.lows), func(i int) bool { return d.lows[i].until >= rank })
		iv.Lower = d.lows[at].lo
	}
	if iv.Upper != Inf {
		iv.Interpolated, iv.HasInterpolated = d.interpolate(iv), true
	}
	return iv
}

// UpperBound is the one-sided upper confidence bound of the q-quantile of
// what was sampled (B3): the order statistic that RankBound names. It is
// false when there are too few samples to bound q at all.
func (d *Dist) UpperBound(q, confidence float64) (Interval, bool) {
	j, ok := RankBound(d.Count(), q, confidence)
	if !ok {
		return unknown, false
	}
	return d.AtRank(j), true
}

// Max bounds the longest sample.
func (d *Dist) Max() Interval { return d.AtRank(d.Count()) }

// Min bounds the shortest sample.
func (d *Dist) Min() Interval { return d.AtRank(1) }

// Mean bounds the mean: every sample at its lower end, rounded down, and
// every sample at its upper end, rounded up. Upper is Inf when one is open.
func (d *Dist) Mean() Interval {
	n := d.Count()
	if n == 0 {
		return unknown
	}
	var lo, hi sum128
	open := false
	for _, b := range d.buckets {
		lo.add(b.Lo, b.Count)
		hi.add(b.Hi, b.Count)
		open = open || b.Hi == Inf
	}
	low, _ := lo.over(n)
	high, rem := hi.over(n)
	if rem != 0 {
		high++
	}
	if open {
		high = Inf
	}
	return Interval{Lower: low, Upper: high}
}

// sum128 adds durations without overflow.
type sum128 struct{ hi, lo uint64 }

func (s *sum128) add(v time.Duration, n uint64) {
	h, l := bits.Mul64(uint64(v), n)
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, l, 0)
	s.hi, _ = bits.Add64(s.hi, h, carry)
}

// over divides by n; a mean of durations always fits.
func (s *sum128) over(n uint64) (time.Duration, uint64) {
	quo, rem := bits.Div64(s.hi%n, s.lo, n)
	return time.Duration(quo), rem
}
