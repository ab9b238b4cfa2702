package source

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// baseline is an earlier snapshot of the same counters (B6).
type baseline struct {
	families map[string]map[uint64]*snapshot
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
	return earlier.collect, nil
}

func (b *baseline) keep(name string, s *series) {
	b.of(name)[s.id] = &snapshot{
		bounds: layoutKey(s.texts()), counts: append([]float64(nil), s.counts...), sum: s.sum, hasSum: s.hasSum,
	}
}

// subtract leaves in s what came after the snapshot. A series that is new
// counts from 0; so does one of which any count fell: its process restarted,
// and what it saw between the snapshot and the restart is lost.
func (b *baseline) subtract(f *family, s *series) {
	old := b.of(f.name)[s.id]
	if old == nil || old.native != nil {
		return
	}
	old.used = true
	if old.bounds != layoutKey(s.texts()) {
		f.restarts++
		return
	}
	for i, c := range s.counts {
		if c < old.counts[i] {
			f.restarts++
			return
		}
	}
	for i := range s.counts {
		s.counts[i] -= old.counts[i]
	}
	s.hasCount = false
	s.hasSum = s.hasSum && old.hasSum
	s.sum -= old.sum
}

// keepNative keeps a native histogram. It may stand beside the classic form of
// the same series, which is then not needed.
func (b *baseline) keepNative(name string, id uint64, h *native) {
	b.of(nativeOf(name))[id] = &snapshot{native: h}
}

// nativeOf is the key of a metric's native form; no metric is called so.
func nativeOf(name string) string { return name + " native" }

// subtractNative is subtract for a native histogram.
func (b *baseline) subtractNative(f *family, id uint64, h *native) *native {
	old := b.of(nativeOf(f.name))[id]
	if old == nil {
		return h
	}
	old.used = true
	before, ok := within(old.native, h)
	if !ok {
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
	gone := 0
	name := f.name
	if f.nativeN > 0 {
		name = nativeOf(name)
	}
	for _, old := range b.of(name) {
		if !old.used {
			gone++
		}
	}
	if n := f.restarts + gone; n > 0 {
		o.add("LP207", finding.Warning, f.line,
			fmt.Sprintf("%s of %s restarted or vanished since the earlier snapshot: what they saw before that is lost", count(n, "series", "series"), show(f.name)),
			"a range query, whose scrapes lie closer together")
	}
}
