package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// budget is how many bytes of packed counters are kept before histograms that
// look complete are added up early.
const budget = 16 << 20

// tracks collects the bucket series of a range query. Only when all buckets
// of a histogram are there can a restart be told: it shows in the whole
// histogram, while one bucket may grow past its old count unseen. So the
// points are kept, packed to about a byte each.
type tracks struct {
	families *families
	groups   map[groupKey]*group
	order    []*group
	last     *group
	size     int
	closed   map[groupKey]bool

	times    []int64 // of the series being read, ms
	counts   []float64
	known    []int64 // the times of the last series, which most others share
	from, to int64
	spanned  bool
	natives  []nativeTrack
	bad      error

	resets map[groupKey][]int64 // when _sum, _count or _created told a restart, ms
	starts map[uint64][]int64   // the same of process_start_time_seconds
	gaps   map[*family]*gap
	usual  int64 // the distance between scrapes of most series, ms
}

// gap is the longest time that a series of a metric was not scraped.
type gap struct {
	series, line  int
	longest, step int64
}

// nativeTrack is one native histogram over time.
type nativeTrack struct {
	fam  *family
	id   uint64
	line int
	nativeRun
	first  *native
	times  []int64
	resets []int64 // where it began again
}

// next takes the histogram of another time. A sum that fell is a restart too.
func (n *nativeTrack) next(ms int64, h *native) {
	if n.first == nil {
		n.first = h
	}
	n.times = append(n.times, ms)
	fell := n.fell
	n.fell = false
	if n.prev != nil && sumFell(n.prev.sum, h.sum) {
		n.grown = append(n.grown, h.buckets...)
		n.count, n.sum = n.count+h.count, n.sum+h.sum
		n.prev, n.fell = h, true
		n.steps++
	} else {
		n.step(h)
	}
	if n.fell {
		n.resets = append(n.resets, ms)
	}
	n.fell = n.fell || fell
}

type groupKey struct {
	fam *family
	id  uint64
}

// group is one histogram over time.
type group struct {
	key       groupKey
	tracks    []track
	scattered bool // other series stood between its buckets
}

// track is one bucket over time.
type track struct {
	le     string
	line   int
	times  []int64
	packed []byte
	whole  bool // packed holds the differences of whole counts
	growth float64
	falls  bool // somewhere: growth is not what it grew
}

func (t *tracks) begin() { t.times, t.counts = t.times[:0], t.counts[:0] }

// point adds a point; NaN is a stale marker, a gap.
func (t *tracks) point(ms int64, count float64) {
	if !math.IsNaN(count) {
		t.times = append(t.times, ms)
		t.counts = append(t.counts, count)
	}
}

// largest is the largest value of the series just read: of a quantile over
// time the only figure that bounds the whole.
func (t *tracks) largest() float64 {
	if len(t.counts) == 0 {
		return math.NaN()
	}
	return slices.Max(t.counts)
}

// span notes that the window reaches to ms.
func (t *tracks) span(ms int64) {
	if !t.spanned {
		t.from, t.to, t.spanned = ms, ms, true
	}
	t.from, t.to = min(t.from, ms), max(t.to, ms)
}

// keep files the points just read as one bucket of a histogram.
func (t *tracks) keep(f *family, id uint64, le []byte, line int) error {
	if len(t.times) == 0 {
		return nil
	}
	for i := 1; i < len(t.times); i++ {
		if t.times[i] <= t.times[i-1] {
			return t.families.in.usagef(line, "the points of a series are not in the order of time")
		}
	}
	t.span(t.times[0])
	t.span(t.times[len(t.times)-1])
	key := groupKey{f, id}
	if t.last != nil && t.last.key != key && t.size > budget {
		t.early(t.last)
	}
	if t.closed[key] {
		return t.families.in.usagef(line, "the buckets of one histogram are scattered over an answer of this size").
			Hintf("--match one instance, or ask the server for sum by (le) (increase(NAME_bucket[7d]))")
	}
	if t.groups == nil {
		t.groups = make(map[groupKey]*group)
	}
	g := t.groups[key]
	if g == nil {
		g = &group{key: key}
		t.groups[key] = g
		t.order = append(t.order, g)
	} else if t.last != g {
		g.scattered = true
	}
	t.last = g
	if !slices.Equal(t.times, t.known) {
		t.known = slices.Clone(t.times)
		if t.usual == 0 {
			t.usual = step(t.known)
		}
		t.size += 8 * len(t.known)
	}
	tr := track{le: f.intern(le), line: line, times: t.known}
	tr.pack(t.counts)
	t.size += len(tr.packed)
	g.tracks = append(g.tracks, tr)
	if f.line == 0 {
		f.line = line
	}
	return nil
}

// early adds up a histogram whose buckets stood together: servers sort series
// by their labels, so no more of them follow.
func (t *tracks) early(g *group) {
	open := slices.ContainsFunc(g.tracks, func(tr track) bool { return tr.le == "+Inf" })
	if len(g.tracks) < 2 || !open || g.scattered {
		return
	}
	for _, tr := range g.tracks {
		t.size -= len(tr.packed)
	}
	t.addUp(g)
	delete(t.groups, g.key)
	t.order = slices.DeleteFunc(t.order, func(o *group) bool { return o == g })
	if t.closed == nil {
		t.closed = make(map[groupKey]bool)
	}
	t.closed[g.key] = true
}

// resolve adds up what is left.
func (t *tracks) resolve() error {
	for i := range t.natives {
		t.addUpNative(&t.natives[i]) // first: the classic form may yield to them
	}
	for _, g := range t.order {
		if g.key.fam.q.collect != nil || g.key.fam.q.base.families != nil {
			return fault.Usagef("%s is a range: it needs no earlier snapshot", show(t.families.in.name))
		}
		t.addUp(g)
	}
	t.order, t.groups = nil, nil
	if t.bad != nil {
		return t.bad
	}
	if t.spanned {
		t.families.window = time.Duration(t.to-t.from) * time.Millisecond
	}
	return nil
}

// addUp turns a histogram over time into its growth.
func (t *tracks) addUp(g *group) {
	f := g.key.fam
	f.overTime = true
	s := &series{fam: f, id: g.key.id, line: g.tracks[0].line}
	times, all := common(g.tracks)
	if len(times) == 0 {
		f.breaks(s.line, "no point in time has all of its buckets")
		return
	}
	born := t.born(times)
	resets := t.resetsOf(g.key)
	if f.aggregated && slices.ContainsFunc(g.tracks, func(tr track) bool { return tr.falls || !tr.whole }) {
		t.notCounters(s.line)
		return
	}
	steady := all && !born && len(resets) == 0 && !slices.ContainsFunc(g.tracks, func(tr track) bool { return tr.falls })
	grew, resets := growth(g.tracks, times, resets, born, steady)
	t.noteGap(f, times, resets, s.line)
	for i, grown := range grew {
		s.add([]byte(g.tracks[i].le), max(grown, 0), g.tracks[i].line)
	}
	f.finish(s)
}

// notCounters is for values that somebody computed at each step: rates and
// increases overlap from step to step, and restarts cannot be told from falls.
func (t *tracks) notCounters(line int) {
	t.bad = firstOf(t.bad, t.families.in.usagef(line, "a range of computed values, not of counters: its steps cannot be added up").
		Hintf("%s", askBuckets))
}

// born says that a series began inside the window: its first counts are growth
// too. The steps of a range query are the same for all series, and scrapes are
// less than a step apart.
func (t *tracks) born(times []int64) bool {
	late := times[0] - t.from
	if late == 0 {
		return false
	}
	usual := step(times)
	if usual == 0 {
		usual = t.usual
	}
	return late >= usual
}

// noteReset files the points just read, of a _sum, _count or start, for the
// restarts that they tell: any fall, or any other start.
func (t *tracks) noteReset(f *family, id uint64, start bool) {
	var resets []int64
	for i := 1; i < len(t.counts); i++ {
		if sumFell(t.counts[i-1], t.counts[i]) || start && t.counts[i] != t.counts[i-1] {
			resets = append(resets, t.times[i])
		}
	}
	switch {
	case f == nil:
		if t.starts == nil {
			t.starts = make(map[uint64][]int64)
		}
		t.starts[id] = resets
	case len(resets) > 0:
		if t.resets == nil {
			t.resets = make(map[groupKey][]int64)
		}
		key := groupKey{f, id}
		t.resets[key] = append(t.resets[key], resets...)
	}
}

// resetsOf are the told restarts of a series, ascending. The only process of
// an answer is that of all series.
func (t *tracks) resetsOf(key groupKey) []int64 {
	starts, ok := t.starts[key.id]
	if !ok && len(t.starts) == 1 {
		for _, only := range t.starts {
			starts = only
		}
	}
	if len(starts) == 0 && len(t.resets[key]) == 0 {
		return nil
	}
	all := append(slices.Clone(starts), t.resets[key]...)
	slices.Sort(all)
	return all
}

// noteGap notes a time without scrapes that may hide a restart; resets are the
// times at which one showed.
func (t *tracks) noteGap(f *family, times, resets []int64, line int) {
	longest, shortest := int64(0), int64(math.MaxInt64)
	for i := 1; i < len(times); i++ {
		shortest = min(shortest, times[i]-times[i-1])
		if times[i]-times[i-1] > longest && !slices.Contains(resets, times[i]) {
			longest = times[i] - times[i-1]
		}
	}
	if longest/2 <= shortest { // as nearly always: no need to sort
		return
	}
	usual := step(times)
	if longest <= 2*usual {
		return
	}
	g := t.gaps[f]
	if g == nil {
		if t.gaps == nil {
			t.gaps = make(map[*family]*gap)
		}
		g = &gap{line: line}
		t.gaps[f] = g
	}
	g.series++
	if longest > g.longest {
		g.longest, g.step = longest, usual
	}
}

// tellGaps is LP207: a restart between two scrapes may not show in the counts.
func (t *tracks) tellGaps(o *Observation) {
	for f, g := range t.gaps {
		if f.name == o.Metric && g.longest > 0 {
			o.add("LP207", finding.Warning, g.line,
				fmt.Sprintf("%s of %s not scraped for up to %s, where %s is usual: a restart in between may not show, and what came before it is lost",
					count(g.series, "series", "series"), show(f.name), dur.Format(millis(g.longest)), dur.Format(millis(g.step))),
				"a range without the gap")
		}
	}
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// addUpNative turns a native histogram over time into its growth. Like a
// classic one, a series that begins inside the window was born there.
func (t *tracks) addUpNative(n *nativeTrack) {
	if n.fam.aggregated && (n.fell || n.fractions) {
		t.notCounters(n.line)
		return
	}
	t.noteGap(n.fam, n.times, n.resets, n.line)
	if t.born(n.times) {
		n.grown = append(n.grown, n.first.buckets...)
		n.count += n.first.count
		n.sum += n.first.sum
	}
	n.fam.addRun(&n.nativeRun, n.id, n.line)
}

// growth is how much each bucket grew, restarts of the whole counted in.
// steady says that there was none. told are the times from which restarts are
// known; resets those of all that were found.
func growth(tracks []track, times, told []int64, born, steady bool) (grew []float64, resets []int64) {
	grown := make([]float64, len(tracks))
	values := make([][]float64, len(tracks))
	for i, tr := range tracks {
		if steady {
			grown[i] = tr.growth
		} else {
			values[i] = tr.at(times)
		}
	}
	if steady {
		return grown, nil
	}
	for i := range times {
		known := false
		for len(told) > 0 && told[0] <= times[i] {
			known, told = i > 0 && told[0] > times[i-1], told[1:]
		}
		fell := i == 0 && born || known || i > 0 && slices.ContainsFunc(values, func(v []float64) bool { return v[i] < v[i-1]*(1-slack) })
		if fell {
			resets = append(resets, times[i])
		}
		for b, v := range values {
			switch {
			case fell:
				grown[b] += v[i]
			case i > 0:
				grown[b] += v[i] - v[i-1]
			}
		}
	}
	return grown, resets
}

// step is the usual distance between scrapes: the median, which gaps do not
// stretch. It is 0 for a single one.
func step(times []int64) int64 {
	if len(times) < 2 {
		return 0
	}
	steps := make([]int64, len(times)-1)
	for i := range steps {
		steps[i] = times[i+1] - times[i]
	}
	slices.Sort(steps)
	return steps[(len(steps)-1)/2]
}

// common are the times that all buckets have: a scrape that some of them
// missed would look like a restart. all says that no bucket has any other.
func common(tracks []track) (times []int64, all bool) {
	times, all = tracks[0].times, true
	for _, tr := range tracks[1:] {
		if len(times) == 0 || len(tr.times) == len(times) && &tr.times[0] == &times[0] {
			continue
		}
		all = false
		var both []int64
		for _, ms := range times {
			if _, ok := slices.BinarySearch(tr.times, ms); ok {
				both = append(both, ms)
			}
		}
		times = both
	}
	return times, all
}

// at unpacks the counts at some of the track's times.
func (tr track) at(times []int64) []float64 {
	all := unpack(tr.packed, tr.whole, len(tr.times))
	if len(times) == len(tr.times) {
		return all
	}
	var some []float64
	i := 0
	for _, ms := range times {
		for tr.times[i] < ms {
			i++
		}
		some = append(some, all[i])
	}
	return some
}

// pack stores counts as the differences of whole numbers, of which most are
// small and many repeat, or as they are when they are fractions. A difference
// stands as a varint whose lowest bit says that the number of its repeats
// follows; 0 there marks one that is negative.
func (tr *track) pack(counts []float64) {
	tr.growth = counts[len(counts)-1] - counts[0]
	for i := 1; i < len(counts); i++ {
		tr.falls = tr.falls || counts[i] < counts[i-1]
	}
	scratch := make([]byte, 0, 2*len(counts))
	prev, delta, repeats := int64(0), int64(0), uint64(0)
	for i, c := range counts {
		n := int64(c)
		if c != float64(n) || c > exactCounts || c < -exactCounts {
			tr.packed = packFractions(counts)
			return
		}
		if i > 0 && n-prev == delta {
			repeats++
		} else {
			if i > 0 {
				scratch = appendDelta(scratch, delta, repeats)
			}
			delta, repeats = n-prev, 0
		}
		prev = n
	}
	tr.packed, tr.whole = bytes.Clone(appendDelta(scratch, delta, repeats)), true
}

func appendDelta(b []byte, delta int64, repeats uint64) []byte {
	switch {
	case delta < 0:
		for range repeats + 1 {
			b = append(binary.AppendUvarint(b, uint64(-delta)<<1|1), 0)
		}
		return b
	case repeats == 0:
		return binary.AppendUvarint(b, uint64(delta)<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(delta)<<1|1), repeats)
}

func packFractions(counts []float64) []byte {
	packed := make([]byte, 0, 8*len(counts))
	for _, c := range counts {
		packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(c))
	}
	return packed
}

func unpack(packed []byte, whole bool, n int) []float64 {
	counts := make([]float64, 0, n)
	if !whole {
		for ; len(packed) > 0; packed = packed[8:] {
			counts = append(counts, math.Float64frombits(binary.LittleEndian.Uint64(packed)))
		}
		return counts
	}
	sum := int64(0)
	for len(packed) > 0 {
		token, size := binary.Uvarint(packed)
		packed = packed[size:]
		delta, times := int64(token>>1), uint64(1)
		if token&1 != 0 {
			repeats, size := binary.Uvarint(packed)
			packed = packed[size:]
			times += repeats
			if repeats == 0 {
				delta = -delta
			}
		}
		for range times {
			sum += delta
			counts = append(counts, float64(sum))
		}
	}
	return counts
}
