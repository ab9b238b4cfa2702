package source

import (
	"bytes"
	"slices"
)

// aside files the points just read of a series that is no bucket and tells
// restarts; false for any other. Servers sort by name: _bucket came before.
func (t *tracks) aside(s *sample, line int) bool {
	at := max(0, bytes.LastIndexByte(s.name, '_'))
	switch suffix := string(s.name[at:]); {
	case string(s.name) == "process_start_time_seconds":
		t.noteReset(nil, s.id(), true)
	case suffix == "_sum", suffix == "_count", suffix == "_created":
		if f := t.families.known(s.name[:at]); f != nil {
			t.noteReset(f, s.id(), suffix == "_created")
			if suffix == "_count" && s.matches(t.families.q.Match) {
				t.noteCount(f, s.id(), line)
			}
		}
	default:
		return false
	}
	return true
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
