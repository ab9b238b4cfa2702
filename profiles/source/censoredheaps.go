package source

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
)

// roundTimes are how people set timeouts, in each power of ten.
var roundTimes = []time.Duration{90, 80, 75, 72, 70, 60, 50, 45, 40, 36, 35, 30, 25, 20, 18, 15, 12, 10}

// lateParts are how wide heaps are looked for, as parts of the time: timers
// that fire on time are the easiest to tell from a tail.
var lateParts = []time.Duration{1000, 500, 200, 100, late}

const (
	earlyPart = 200  // a timer fires, or a clock is read, up to this part early
	samePart  = 5000 // times this near to each other are the same
	leastHeap = 10   // samples in a heap that is told by its density
	leastSure = 3    // samples in one at the very end, within 1/1000 or with nothing near below
	chance    = 7    // more than below, that may be chance
	stretches = 5    // as wide as the heap that it is compared to, below it
	spread    = 20   // values below a heap that show how finely they were measured
	steps     = 8    // values below a heap that show a tail, which it stands out of
	near      = 10   // times the longest of fewer values: so far a next one may lie
)

// tail counts the samples that have an upper bound.
type tail struct {
	buckets      []dist.Bucket // by their lower ends
	lows, highs  []time.Duration
	below, until []uint64 // samples of the first so many lows, and highs
	n            uint64
}

func tailOf(d *dist.Dist) *tail {
	t := &tail{}
	for b := range d.All() {
		if b.Count > 0 && b.Hi != dist.Inf {
			t.buckets = append(t.buckets, b)
		}
	}
	sums := func(end func(dist.Bucket) time.Duration) (ends []time.Duration, sums []uint64) {
		slices.SortStableFunc(t.buckets, func(a, b dist.Bucket) int { return cmp.Compare(end(a), end(b)) })
		sums = []uint64{0}
		for i, b := range t.buckets {
			ends, sums = append(ends, end(b)), append(sums, sums[i]+b.Count)
		}
		return ends, sums
	}
	t.highs, t.until = sums(func(b dist.Bucket) time.Duration { return b.Hi })
	t.lows, t.below = sums(func(b dist.Bucket) time.Duration { return b.Lo })
	t.n = t.below[len(t.buckets)]
	return t
}

// from counts the samples that are surely not below x.
func (t *tail) from(x time.Duration) uint64 {
	return t.n - t.below[sort.Search(len(t.lows), func(i int) bool { return t.lows[i] >= x })]
}

// above counts the samples that may be above x.
func (t *tail) above(x time.Duration) uint64 {
	return t.n - t.until[sort.Search(len(t.highs), func(i int) bool { return t.highs[i] > x })]
}

// inside counts the samples that are surely from a to b.
func (t *tail) inside(a, b time.Duration) uint64 {
	begins, beyond := t.from(a), t.above(b)
	return begins - min(begins, beyond)
}

// between counts the samples that may be between a and b.
func (t *tail) between(a, b time.Duration) uint64 {
	return t.above(a) - min(t.above(a), t.from(b))
}

// heap is where the samples end that a timeout seems to have cut off.
type heap struct {
	from   time.Duration
	at     []string // the timeouts, the shortest first
	longer uint64   // samples that are in no heap although they are longer
	work   bool     // it may be how long the work takes
}

// heaps finds the timeouts that the last samples lie at: one, or some that were
// tried one after the other.
func (t *tail) heaps() (h heap, found bool) {
	h.from = dist.Inf
	for unit := 1000 * time.Second; unit >= time.Millisecond; unit /= 10 {
		for _, r := range roundTimes {
			limit := r * unit
			from, longer, ok := t.heapAt(limit, h)
			if !ok {
				continue
			}
			last := t.from(from)
			work := t.isStep(from) || last > t.n/fewerThan && (last > t.n/2 || !t.standsAlone(limit, from))
			if work && found {
				return h, true
			}
			if work && longer > 0 {
				continue
			}
			h = heap{from, append([]string{dur.Format(limit)}, h.at...), longer, work}
			if found = true; work {
				return h, true
			}
		}
	}
	if !found {
		return t.same()
	}
	return h, true
}

// isStep says that what lies from there on may be the next of a few values.
func (t *tail) isStep(from time.Duration) bool {
	below := t.values(from)
	return below > 0 && below < steps && from/near <= t.lows[below-1]
}

// heapAt says whether samples lie at a timeout like a heap, from where on, and
// how many are longer and not in the heaps above. The widest heap counts: some
// timers fire early, others late.
func (t *tail) heapAt(limit time.Duration, above heap) (from time.Duration, longer uint64, ok bool) {
	for _, part := range lateParts {
		begin, end := limit-min(limit/part, limit/earlyPart), limit+limit/part
		beyond := above.longer
		if end < above.from {
			beyond += t.between(end, above.from)
		}
		heap, width := t.inside(begin, end), end-begin
		sure := part == lateParts[0] && beyond == 0 && heap >= leastSure && heap > denser*t.densest(begin, width)
		dense := heap >= leastHeap && fewerThan*beyond <= heap &&
			stretches*heap > denser*t.between(max(0, begin-stretches*width), begin)+stretches*chance &&
			heap > denser*t.nearest(begin, width)
		// Nothing between, down to where the half of a timeout, tried before, may
		// be: three outliers that agree so well are no tail.
		alone := beyond == 0 && heap >= leastSure && t.isFine(begin) && t.between(begin/5*3, begin) == 0
		if sure || dense || alone {
			from, longer, ok = begin, beyond, true
		}
	}
	return from, longer, ok
}

// values counts the different values below a time.
func (t *tail) values(from time.Duration) int {
	return sort.Search(len(t.lows), func(i int) bool { return t.lows[i] >= from })
}

// isFine says that many values were seen below a time.
func (t *tail) isFine(from time.Duration) bool { return t.values(from) >= spread }

// nearest is how many samples there are in the stretch of that width whose end
// comes next below: a coarse clock leaves gaps between. Where values are many,
// it looks no further down than a quarter, where a shorter timeout may be.
func (t *tail) nearest(from, width time.Duration) uint64 {
	at := sort.Search(len(t.highs), func(i int) bool { return t.highs[i] >= from })
	if at == 0 || t.isFine(from) && t.highs[at-1] < from-from/4 {
		return 0
	}
	end := t.highs[at-1]
	return t.between(max(0, end-width), end) + t.inside(end, end)
}

// densest is the most samples in any stretch of that width below, down to
// where the half of a timeout cannot be.
func (t *tail) densest(from, width time.Duration) (most uint64) {
	var stretch []dist.Bucket
	var inside uint64
	for _, b := range t.buckets {
		if b.Lo >= from || b.Hi <= from/5*3 {
			continue
		}
		stretch, inside = append(stretch, b), inside+b.Count
		for b.Hi-stretch[0].Hi > width {
			stretch, inside = stretch[1:], inside-stretch[0].Count
		}
		most = max(most, inside)
	}
	return most
}

// standsAlone says that what lies at a timeout is one value, far above the
// others, which were measured finely: work is not that even.
func (t *tail) standsAlone(limit, from time.Duration) bool {
	return t.isFine(from) && t.between(limit/2, from) == 0 && t.inside(limit-limit/samePart, limit+limit/samePart) == t.from(from)
}

// same finds a heap at any time, round or not: many samples that are all the
// same, in a tail of samples that are not.
func (t *tail) same() (heap, bool) {
	for _, b := range slices.Backward(t.buckets) {
		longer := t.above(b.Hi)
		if longer > t.n/fewerThan {
			break
		}
		octave := t.between(b.Lo/2, b.Lo)
		if b.Count >= leastHeap && b.Count <= t.n/fewerThan && b.Hi-b.Lo <= b.Lo/earlyPart && fewerThan*longer <= b.Count &&
			octave >= max(leastHeap, b.Count/denser) && b.Count > denser*t.densest(b.Lo, 0) {
			return heap{from: b.Lo, at: []string{dur.Format(b.Hi)}, longer: longer}, true
		}
	}
	return heap{}, false
}
