package source

import "bytes"

// Again says how many series of two inputs look like one series at two times:
// the same labels, and counters of which none is smaller in one of the two.
// sure says that it was one process, by its start time; series that began at
// other times do not count. known is false where an input has no counters by
// series.
func (o *Observation) Again(other *Observation) (series int, sure, known bool) {
	if o.counters == nil || other.counters == nil || len(o.counters.families) == 0 || len(other.counters.families) == 0 {
		return 0, false, false
	}
	for name, ours := range o.counters.families {
		for id, a := range ours {
			b := other.counters.families[name][id]
			if b == nil || !a.grewFrom(b) && !b.grewFrom(a) {
				continue
			}
			began, told := o.counters.before.of(name, id)
			then, toldThen := other.counters.before.of(name, id)
			if told && toldThen {
				if began != then {
					continue
				}
				sure = true
			}
			series++
		}
	}
	return series, sure, true
}

// grewFrom says that a snapshot has some samples, and the later one at least
// as many in every bucket.
func (s *snapshot) grewFrom(earlier *snapshot) bool {
	switch {
	case s.native != nil && earlier.native != nil:
		_, ok := within(earlier.native, s.native)
		return ok && earlier.native.count > 0
	case s.native != nil || earlier.native != nil || s.bounds != earlier.bounds || earlier.tally == 0:
		return false
	}
	for i, n := range s.counts {
		if n < earlier.counts[i] {
			return false
		}
	}
	return true
}

// isStart is a line that says since when a process runs, of interest where two
// inputs may be of one process.
func (t *textLines) isStart(line []byte) bool {
	return t.whole.families.q.kept != nil && bytes.HasPrefix(line, []byte("process_start_time_seconds"))
}

// births takes such a line, and what says the same of one series.
func (t *textLines) births(s *sample, value float64) {
	if t.whole.families.q.kept != nil && (bytes.HasSuffix(s.name, []byte("_created")) || t.isStart(s.name)) {
		t.tell(textStep{kind: textStart, name: s.name, id: s.id(), value: value})
	}
}
