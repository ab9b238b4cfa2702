package source

import (
	"cmp"
	"maps"
	"slices"
)

// countTrack is a _count over time, for the case that its series has no
// buckets.
type countTrack struct {
	first, growth float64
	at, step      int64 // of the first point; between points, ms
	line          int
}

// noteCount files the points just read of a _count.
func (t *tracks) noteCount(f *family, id uint64, line int) {
	if len(t.counts) == 0 {
		return
	}
	c := countTrack{first: t.counts[0], at: t.times[0], step: step(t.times), line: line}
	for i := 1; i < len(t.counts); i++ {
		if now, before := t.counts[i], t.counts[i-1]; now < before {
			c.growth += now
		} else {
			c.growth += now - before
		}
	}
	if t.tallies == nil {
		t.tallies = make(map[groupKey]countTrack)
	}
	t.tallies[groupKey{f, id}] = c
}

// tally counts the samples of series that have no buckets.
func (t *tracks) tally() {
	keys := slices.SortedFunc(maps.Keys(t.tallies), func(a, b groupKey) int {
		return cmp.Or(cmp.Compare(t.tallies[a].line, t.tallies[b].line), cmp.Compare(a.id, b.id))
	})
	for _, key := range keys {
		c := t.tallies[key]
		if _, ok := t.index[key]; ok || key.fam.forms.byID[key.id] != nil {
			continue
		}
		if t.bornAt(c.at, c.step) {
			c.growth += c.first
		}
		key.fam.tallied(key.id, c.growth, c.line)
	}
}
