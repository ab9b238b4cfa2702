package dist

import (
	"math/bits"
	"time"
)

// distinct is how many unlike values are kept exactly; beyond it the builder
// coarsens, so that its memory does not grow with the input.
const distinct = 1 << 18

// finest keeps 2^10 steps in each power of two: a relative width of 2^-10.
const finest = 10

// Builder collects samples. Past 2^18 distinct values it widens each sample
// to a cell of at most 2^-10 of its value: upper ends move up, lower ends
// down, never the other way. The zero value is ready to use. The number of
// samples must stay below 2^63.
type Builder struct {
	recent *[slots]cell // the samples seen last, before they are counted
	counts map[span]uint64
	coarse bool
	shift  int // steps in each power of two, as its logarithm
}

type span struct{ lo, hi time.Duration }

// cell is a number of samples of one span.
type cell struct {
	span
	n uint64
}

// slots is how many spans are held in front of the map: inputs repeat few.
const slots = 1 << 10

// AddRange adds n samples known to lie in (lo, hi], with 0 <= lo <= hi; lo ==
// hi is exact, hi == Inf open.
func (b *Builder) AddRange(lo, hi time.Duration, n uint64) {
	if n == 0 {
		return
	}
	if b.recent == nil {
		b.recent = new([slots]cell)
	}
	c := &b.recent[(uint64(lo)*0x9e3779b97f4a7c15^uint64(hi)*0xd6e8feb86659fd93)>>54]
	if c.lo == lo && c.hi == hi {
		c.n += n
		return
	}
	b.count(*c)
	*c = cell{span{lo, hi}, n}
}

// count moves samples into the map, which coarsens when it grows too large.
func (b *Builder) count(c cell) {
	if c.n == 0 {
		return
	}
	if b.counts == nil {
		b.counts = make(map[span]uint64)
		b.shift = finest
	}
	if b.coarse {
		c.span = widen(c.span, b.shift)
	}
	b.counts[c.span] += c.n
	for len(b.counts) > distinct && b.shift > 0 {
		b.coarsen()
	}
}

// coarsen rounds every sample to cells, coarser ones each time it is called.
func (b *Builder) coarsen() {
	if b.coarse {
		b.shift--
	}
	b.coarse = true
	wide := make(map[span]uint64, len(b.counts)/4)
	for s, n := range b.counts {
		wide[widen(s, b.shift)] += n
	}
	b.counts = wide
}

// Merge adds what o collected, as if all samples had been added to b, in
// whatever order. o must not be used any more.
func (b *Builder) Merge(o *Builder) {
	if o.recent != nil {
		for _, c := range o.recent {
			o.count(c)
		}
	}
	if b.counts == nil {
		b.counts, b.coarse, b.shift = o.counts, o.coarse, o.shift
		return
	}
	for o.coarse && (!b.coarse || b.shift > o.shift) {
		b.coarsen()
	}
	for s, n := range o.counts {
		b.count(cell{s, n})
	}
}

// Dist is what was collected so far.
func (b *Builder) Dist() *Dist {
	if b.recent != nil {
		for i, c := range b.recent {
			b.count(c)
			b.recent[i] = cell{}
		}
	}
	buckets := make([]Bucket, 0, len(b.counts))
	for s, n := range b.counts {
		buckets = append(buckets, Bucket{s.lo, s.hi, n})
	}
	return build(buckets)
}

// widen moves the ends of s outward to multiples of 2^-shift of their power
// of two.
func widen(s span, shift int) span {
	lo, hi := uint64(s.lo), uint64(s.hi)
	if over := bits.Len64(lo) - 1 - shift; over > 0 {
		lo = lo >> over << over
	}
	if over := bits.Len64(hi) - 1 - shift; over > 0 && s.hi != Inf {
		mask := uint64(1)<<over - 1
		hi = min((hi+mask)&^mask, uint64(Inf))
	}
	return span{time.Duration(lo), time.Duration(hi)}
}
