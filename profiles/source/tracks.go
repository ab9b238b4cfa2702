package source

import (
	"hash/maphash"
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// tracks collects the bucket series of a range query. Only when all buckets
// of a histogram are there can a restart be told: it shows in the whole
// histogram, while one bucket may grow past its old count unseen. So the
// points are kept, packed to about a byte each, and outside of memory when
// they are many: servers sort series by their labels, and where le comes
// before the instance the last bucket of each histogram is at the end.
type tracks struct {
	families *families
	index    map[groupKey]int
	groups   []group
	packed   spill
	record   []byte // being packed

	times     []int64 // of the series being read, ms
	counts    []float64
	known     []int64 // the times of the last series, which most others share
	knownHash uint64
	seed      maphash.Seed
	from, to  int64
	spanned   bool
	natives   []nativeTrack
	bad       error

	resets  map[groupKey][]int64 // when _sum, _count or _created told a restart, ms
	starts  map[uint64][]int64   // the same of process_start_time_seconds
	tallies map[groupKey]countTrack
	gaps    map[*family]*gap
	usual   int64 // the distance between scrapes of most series, ms
}

type groupKey struct {
	fam *family
	id  uint64
}

// group is one histogram over time, as long as its buckets are packed.
type group struct {
	key     groupKey
	tracks  int
	packed  int    // bytes of all its tracks
	moments int    // times that are kept for them
	start   int64  // of the first track in what is packed
	times   uint64 // hash of the times of the first track, which the others mostly share
}

// size is what the group takes when it is unpacked, in bytes.
func (g *group) size() int { return g.packed + 8*g.moments + 128*g.tracks }

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
	if !slices.Equal(t.times, t.known) || t.index == nil {
		t.known = append(t.known[:0], t.times...)
		t.knownHash = t.hash(t.known)
		if t.usual == 0 {
			t.usual = step(t.known)
		}
	}
	if t.index == nil {
		t.index = make(map[groupKey]int)
	}
	key := groupKey{f, id}
	n, ok := t.index[key]
	if !ok {
		n = len(t.groups)
		t.index[key] = n
		t.groups = append(t.groups, group{key: key, start: t.packed.size()})
	}
	t.pack(n, le, line)
	if f.line == 0 {
		f.line = line
	}
	return nil
}

// resolve adds up all histograms, as many at a time as memory has room for.
func (t *tracks) resolve() error {
	for i := range t.natives {
		t.addUpNative(&t.natives[i]) // first: the classic form may yield to them
	}
	for from := 0; from < len(t.groups); {
		to, size := from, 0
		for to < len(t.groups) && (to == from || size+t.groups[to].size() <= inMemory) {
			size += t.groups[to].size()
			to++
		}
		tracks, err := t.unpack(from, to)
		if err != nil {
			return fault.Toolf("%s: its counters cannot be read back from a temporary file: %w", show(t.families.in.name), err)
		}
		for i, g := range t.groups[from:to] {
			if g.key.fam.q.isSnapshot() {
				return fault.Usagef("%s is a range: it needs no earlier snapshot", show(t.families.in.name))
			}
			t.addUp(g.key, tracks[i])
		}
		from = to
	}
	t.tally()
	if t.bad != nil {
		return t.bad
	}
	if t.spanned {
		t.families.window = time.Duration(t.to-t.from) * time.Millisecond
	}
	return nil
}

// addUp turns a histogram over time into its growth.
func (t *tracks) addUp(key groupKey, tracks []track) {
	f := key.fam
	f.overTime = true
	s := &series{fam: f, id: key.id, line: tracks[0].line}
	times, all := common(tracks)
	if len(times) == 0 {
		f.breaks(s.line, "no point in time has all of its buckets")
		return
	}
	born := t.born(times)
	resets := t.resetsOf(key)
	if f.aggregated && slices.ContainsFunc(tracks, func(tr track) bool { return tr.falls || !tr.whole }) {
		t.notCounters(s.line)
		return
	}
	steady := all && !born && len(resets) == 0 && !slices.ContainsFunc(tracks, func(tr track) bool { return tr.falls })
	grew, resets := growth(tracks, times, resets, born, steady)
	t.noteGap(f, times, resets, s.line)
	for i, grown := range grew {
		s.add(tracks[i].le, max(grown, 0), tracks[i].line)
	}
	f.finish(s)
}

// notCounters is for values that somebody computed at each step: rates and
// increases overlap from step to step, and restarts cannot be told from falls.
func (t *tracks) notCounters(line int) {
	t.bad = firstOf(t.bad, t.families.in.usagef(line, "a range of computed values, not of counters: its steps cannot be added up").
		Hintf("%s", askBuckets))
}

// noRanges is the error for VictoriaMetrics' ranges over time: a range that is
// empty is not there, so their restarts do not show.
func (t *tracks) noRanges(line int) error {
	return t.families.in.usagef(line, "vmrange buckets over time: their restarts cannot be told").
		Hintf("ask the server for sum by (vmrange) (increase(NAME_bucket[7d]))")
}

// born says that a series began inside the window: its first counts are growth
// too. The steps of a range query are the same for all series, and scrapes are
// less than a step apart.
func (t *tracks) born(times []int64) bool {
	return t.bornAt(times[0], step(times))
}

// bornAt is born of a series by its first time and its step, 0 where it has
// one point.
func (t *tracks) bornAt(first, usual int64) bool {
	late := first - t.from
	if late == 0 {
		return false
	}
	if usual == 0 {
		usual = t.usual
	}
	return late >= usual
}
