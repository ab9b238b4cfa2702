package source

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// baseline is the earlier snapshot of the same counters, which is subtracted
// (B6).
type baseline struct {
	families map[string]map[uint64]*snapshot
	before   began

	// Series of both pages that moved; that fell in all counts; that did so
	// within one process.
	moved, fell, fellWithin int

	warned []finding.Finding // of the server that gave the snapshot
}

// began is when the counters of a page began, as the page itself says.
type began struct {
	created map[string]map[uint64]float64 // name_created by metric and series
	starts  map[uint64]float64            // process_start_time_seconds
}

// of is when a series began. The only process of a page is that of all series.
func (b *began) of(name string, id uint64) (float64, bool) {
	if at, ok := b.created[name][id]; ok {
		return at, true
	}
	if at, ok := b.starts[id]; ok {
		return at, true
	}
	if len(b.starts) == 1 {
		for _, at := range b.starts {
			return at, true
		}
	}
	return 0, false
}

// take notes a line that says when something began; false for any other.
func (b *began) take(s *sample, value float64) bool {
	return b.note(string(s.name), s.id(), value)
}

func (b *began) note(name string, id uint64, value float64) bool {
	of, isCreated := strings.CutSuffix(name, "_created")
	switch {
	case math.IsNaN(value):
		return false
	case name == "process_start_time_seconds":
		if b.starts == nil {
			b.starts = make(map[uint64]float64)
		}
		b.starts[id] = value
	case isCreated:
		if b.created == nil {
			b.created = make(map[string]map[uint64]float64)
		}
		if b.created[of] == nil {
			b.created[of] = make(map[uint64]float64)
		}
		b.created[of][id] = value
	default:
		return false
	}
	return true
}

// restarted says that both pages tell when a series began, and not the same.
// some and all are how its counts moved: some fell, all did not grow.
func (b *baseline) restarted(f *family, id uint64, some, all bool) bool {
	then, known := b.before.of(f.name, id)
	now, knownNow := f.now.of(f.name, id)
	known = known && knownNow
	if some || !all {
		b.moved++
	}
	if some && all {
		b.fell++
		if known && then == now {
			b.fellWithin++
		}
	}
	return known && then != now
}

// of is where the series of one metric are kept.
func (b *baseline) of(name string) map[uint64]*snapshot {
	if b.families[name] == nil {
		b.families[name] = make(map[uint64]*snapshot)
	}
	return b.families[name]
}

// snapshot is one series as it stood.
type snapshot struct {
	bounds string // layoutKey
	counts []float64
	native *native // instead of the two
	sum    float64
	hasSum bool
	tally  float64 // of _count, or else of the buckets
	used   bool
}

// takeBaseline reads the earlier snapshot of q.
func takeBaseline(q *Query) (*baseline, error) {
	if q.EarlierName == "" {
		q.EarlierName = "the earlier snapshot"
	}
	in, err := open(q.EarlierName, q.Earlier)
	if err != nil {
		return nil, err
	}
	defer in.stop()
	earlier := *q
	earlier.Earlier, earlier.Format = nil, ""
	earlier.collect = &baseline{families: make(map[string]map[uint64]*snapshot)}
	f, err := choose(in, "")
	if err != nil {
		return nil, err
	}
	if !f.counters {
		return nil, fault.Usagef("%s: %s has no counters to subtract", show(q.EarlierName), f.name)
	}
	o, err := f.read(in, &earlier)
	if err != nil {
		return nil, err
	}
	if len(o.Findings) > 0 {
		if worst, _ := finding.Worst(o.Findings); worst == finding.Error {
			return nil, fault.Usagef("%s:%d: %s", show(q.EarlierName), o.Findings[0].Line, o.Findings[0].Message)
		}
	}
	for _, f := range o.Findings {
		if f.ID == "LP206" {
			f.Message = "the earlier snapshot: " + f.Message
			earlier.collect.warned = append(earlier.collect.warned, f)
		}
	}
	return earlier.collect, nil
}

func (b *baseline) keep(name string, s *series) {
	old := &snapshot{
		bounds: layoutKey(s.texts()), counts: append([]float64(nil), s.counts...), sum: s.sum, hasSum: s.hasSum,
		tally: slices.Max(s.counts),
	}
	if s.hasCount {
		old.tally = max(old.tally, s.count)
	}
	b.of(name)[s.id] = old
}

// subtract leaves in s what came after the snapshot. A series that is new
// counts from 0; so does one of which any count or the sum fell, or that began
// at another time: its process restarted, and what it saw between the snapshot
// and the restart is lost.
func (b *baseline) subtract(f *family, s *series) {
	old := b.of(f.name)[s.id]
	if old == nil {
		return
	}
	old.used = true
	if old.bounds != layoutKey(s.texts()) {
		f.restarts++
		return
	}
	some, all := false, true
	for i, c := range s.counts {
		some = some || c < old.counts[i]
		all = all && c <= old.counts[i]
	}
	again := b.restarted(f, s.id, some, all)
	if again || some || s.hasCount && s.count < old.tally*(1-slack) || s.hasSum && old.hasSum && sumFell(old.sum, s.sum) {
		f.restarts++
		return
	}
	for i := range s.counts {
		s.counts[i] -= old.counts[i]
	}
	// Samples in no bucket are in the counts alone.
	s.count -= old.tally
	s.hasSum = s.hasSum && old.hasSum
	s.sum -= old.sum
}

// sumFell says that a sum of durations is smaller than before by more than
// rounding.
func sumFell(before, after float64) bool { return after < before-slack*math.Abs(before) }

// keepNative keeps a native histogram. It may stand beside the classic form of
// the same series, which is then not needed.
func (b *baseline) keepNative(name string, id uint64, h *native) {
	b.of(nativeOf(name))[id] = &snapshot{native: h}
}

// keepTally keeps the count of a series that has no buckets.
func (b *baseline) keepTally(name string, id uint64, count float64) {
	b.of(name)[id] = &snapshot{tally: count}
}

// talliedSince is what the count of a series without buckets grew by.
func (b *baseline) talliedSince(f *family, id uint64, count float64) float64 {
	old := b.of(f.name)[id]
	if old == nil {
		return count
	}
	old.used = true
	if again := b.restarted(f, id, count < old.tally, count <= old.tally); again || count < old.tally {
		f.restarts++
		return count
	}
	return count - old.tally
}

// nativeOf is the key of a metric's native form; no metric is called so.
func nativeOf(name string) string { return name + " native" }

// grown is what a native histogram counted since the snapshot.
func (b *baseline) grown(f *family, id uint64, h *native) *native {
	old := b.of(nativeOf(f.name))[id]
	if old == nil {
		return h
	}
	old.used = true
	before, ok := within(old.native, h)
	_, all := within(h, old.native)
	if b.restarted(f, id, !ok, all) || !ok || sumFell(old.native.sum, h.sum) {
		f.restarts++
		return h
	}
	grown := &native{count: h.count - old.native.count, sum: h.sum - old.native.sum, rounded: h.rounded}
	for i, bucket := range h.buckets {
		if bucket.count -= before[i]; bucket.count > 0 {
			grown.buckets = append(grown.buckets, bucket)
		}
	}
	return grown
}

// describe tells what the difference cannot know.
func (b *baseline) describe(f *family, o *Observation) {
	o.Findings = append(o.Findings, b.warned...)
	gone := 0
	natives := b.of(nativeOf(f.name))
	for id, old := range b.of(f.name) {
		if finer := natives[id]; !old.used && (finer == nil || !finer.used) {
			gone++
		}
	}
	for id, old := range natives {
		if !old.used && b.of(f.name)[id] == nil {
			gone++
		}
	}
	if b.fell > 0 && b.fell == b.moved {
		o.add("LP207", finding.Warning, f.line,
			fmt.Sprintf("every series of %s fell in all its counts since the earlier snapshot: all restarted, or the two snapshots are swapped", show(f.name)),
			"the earlier one is the one to give as --since")
	}
	if n := f.restarts + gone; n > 0 {
		o.add("LP207", finding.Warning, f.line,
			fmt.Sprintf("%s of %s restarted or vanished since the earlier snapshot: what they saw before that is lost", count(n, "series", "series"), show(f.name)),
			"a range query, whose scrapes lie closer together")
	}
}

// swapped is the error of an earlier snapshot that is the later one: all
// counts fall although the processes are the same.
func (b *baseline) swapped(f *family) error {
	if b.fell == 0 || b.fell < b.moved || b.fellWithin < b.fell {
		return nil
	}
	return fault.Usagef("%s: every count of %s is below the earlier snapshot's, of the same processes: the two are swapped", show(f.in.name), show(f.name)).
		Hintf("give the earlier one as --since")
}
