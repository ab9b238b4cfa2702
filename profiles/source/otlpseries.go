package source

import (
	"slices"
	"strconv"
	"time"
)

// keep files a cumulative point. Of one series since one start the last point
// holds all; a point that holds less is of a restart that nobody noted, or of
// another writer.
func (m *otlpMetric) keep(in *input, p *otlpPoint, unit time.Duration) {
	key := strconv.FormatUint(p.id, 16) + " " + p.start
	old := m.last[key]
	if old == nil {
		m.order = append(m.order, key)
		m.last[key] = p
		return
	}
	const tellApart = "a resource attribute such as service.instance.id that tells the writers apart"
	first, second := old, p
	if p.before(old) {
		first, second = p, old
	}
	switch {
	case p.start == "" && p.export == old.export && p.part != old.part:
		m.note(in.usagef(p.line, "two resources with the same attributes report %s, without a start", show(m.name)).Hintf(tellApart))
	case first.at == second.at && !(first.holds(second) && second.holds(first)):
		m.note(in.usagef(p.line, "two unlike points of one series of %s at the same time", show(m.name)).Hintf(tellApart))
	case second.holds(first):
		m.last[key] = second
	case p.start == "" && second == p:
		m.add(in, old, unit, len(old.counts) > 0)
		m.last[key] = p
	default:
		m.note(in.usagef(p.line, "the counts of one series of %s fall without a new start", show(m.name)).Hintf(tellApart))
	}
}

// before compares times as digits.
func (p *otlpPoint) before(other *otlpPoint) bool {
	return len(p.at) < len(other.at) || len(p.at) == len(other.at) && p.at < other.at
}

// holds says whether no count of an earlier point has fallen.
func (p *otlpPoint) holds(earlier *otlpPoint) bool {
	if p.count < earlier.count || p.zero < earlier.zero || len(p.counts) != len(earlier.counts) || !slices.Equal(p.bounds, earlier.bounds) {
		return false
	}
	for i, n := range earlier.counts {
		if p.counts[i] < n {
			return false
		}
	}
	switch {
	case p.zeroAt > earlier.zeroAt:
		return true // the zero bucket took others in
	case p.scale > earlier.scale || p.scale < earlier.scale-63:
		return len(earlier.positive) == 0 // buckets only ever become coarser
	}
	then := make(map[int64]float64)
	for i, n := range earlier.positive {
		then[(earlier.offset+int64(i))>>(earlier.scale-p.scale)] += n
	}
	for i, n := range p.positive {
		if n < then[p.offset+int64(i)] {
			return false
		}
		delete(then, p.offset+int64(i))
	}
	for _, n := range then {
		if n > 0 {
			return false
		}
	}
	return true
}
