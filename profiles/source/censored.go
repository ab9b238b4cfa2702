package source

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// roundTimes are how people set timeouts, in each power of ten.
var roundTimes = []time.Duration{10, 12, 15, 18, 20, 25, 30, 35, 36, 40, 45, 50, 60, 70, 72, 75, 80, 90}

// heaps are what looks like a timeout: that many samples within a part of it
// to either side. In a tail that thins out three so near to each other, or ten
// as near as clocks and wake-ups put them, are rare.
var heaps = []struct {
	least uint64
	part  time.Duration
}{{3, 1000}, {10, late}}

const (
	late      = 50 // a timer fires up to this part of its time late
	denser    = 3  // times as many as anywhere in the octave below
	fewerThan = 10 // times as many there are in all
	leastLast = 10 // samples of a last bucket
)

// censor looks for a timeout at which the times were cut off: where the last
// samples are one heap at a round time, nobody knows how much longer they
// would have taken, and they count as at least that. A heap of many samples is
// how long the work takes, and that of a histogram may be a wide bucket: those
// are only told.
func (o *Observation) censor() {
	end := o.Dist.Max().Upper
	limit := roundBelow(end)
	if end == dist.Inf {
		return
	}
	for _, h := range heaps {
		from := limit - limit/h.part
		heap, densest := heapFrom(o.Dist, from, 2*(limit/h.part))
		if limit == 0 || end-limit > limit/h.part || heap < h.least || heap <= denser*densest {
			continue
		}
		what := fmt.Sprintf("the last %d of %d samples lie at %s like a heap: it looks like a timeout, after which nobody knows how much longer they would have taken", heap, o.Dist.Count(), dur.Format(limit))
		if heap > o.Dist.Count()/fewerThan {
			o.add("LP202", finding.Warning, o.Line, what, "if so, measure without it; if not, this is how long the work takes")
			return
		}
		o.Dist, o.Mean = openFrom(o.Dist, from), nil
		o.add("LP202", finding.Warning, o.Line, what+", so they count as at least that", "measure without it, or plan with --max where nothing can take longer")
		return
	}
	o.tellLastBucket()
}

// heapFrom counts the samples from there on, and the most in any stretch of
// that width in the octave below.
func heapFrom(d *dist.Dist, from, width time.Duration) (heap, densest uint64) {
	var stretch []dist.Bucket
	var inside uint64
	for b := range d.All() {
		switch {
		case b.Lo >= from:
			heap += b.Count
		case b.Hi > from/2:
			stretch, inside = append(stretch, b), inside+b.Count
			for b.Hi-stretch[0].Hi > width {
				stretch, inside = stretch[1:], inside-stretch[0].Count
			}
			densest = max(densest, inside)
		}
	}
	return heap, densest
}

// openFrom is d where nobody knows how long the samples from there on are.
func openFrom(d *dist.Dist, from time.Duration) *dist.Dist {
	var open dist.Builder
	for b := range d.All() {
		if b.Lo >= from {
			b.Hi = dist.Inf
		}
		open.AddRange(b.Lo, b.Hi, b.Count)
	}
	return open.Dist()
}

// tellLastBucket tells of a histogram that ends in a heap: a tail thins out.
func (o *Observation) tellLastBucket() {
	var last, before dist.Bucket
	for b := range o.Dist.All() {
		if b.Count > 0 {
			before, last = last, b
		}
	}
	isWide := last.Hi-last.Lo > last.Hi/late
	if isWide && last.Lo > 0 && last.Count >= leastLast && last.Count > denser*before.Count && last.Count <= o.Dist.Count()/fewerThan {
		o.add("LP202", finding.Warning, o.Line,
			fmt.Sprintf("%d samples lie in the last bucket, from %s to %s, and %d in the one before: a timeout in it would have cut them off", last.Count, dur.Format(last.Lo), dur.Format(last.Hi), before.Count),
			"if so, measure without it")
	}
}

// roundBelow is the largest round time that end reaches and does not pass by
// more than a timer is late, or 0.
func roundBelow(end time.Duration) time.Duration {
	for unit := time.Millisecond; unit <= time.Hour; unit *= 10 {
		for _, r := range roundTimes {
			limit := r * unit
			if limit > end {
				return 0
			}
			if end-limit <= limit/late {
				return limit
			}
		}
	}
	return 0
}
