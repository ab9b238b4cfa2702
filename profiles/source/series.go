package source

// series is one classic histogram being read: the buckets of one label set,
// in the order in which they were written.
type series struct {
	fam    *family
	id     uint64 // of its labels without le, in any order
	line   int
	layout *layout  // whose bounds these are, as long as own is nil
	own    []string // the bounds, once they differ from any layout
	counts []float64
	lines  []int // where each stands; nil while they follow line

	count, sum       float64
	hasCount, hasSum bool
	endsOpen         bool // the last bucket was +Inf
	time             float64
	timed            bool
}

// mostBuckets is far above what any histogram has: an input without end must
// not take all memory.
const mostBuckets = 100_000

// add takes the next bucket; le is the text of its bound.
func (s *series) add(le []byte, count float64, line int) {
	n := len(s.counts)
	if n >= mostBuckets {
		s.fam.breaks(line, "one series has more than %d buckets", mostBuckets)
		return
	}
	if s.own == nil {
		if s.layout != nil && n < len(s.layout.texts) && s.layout.texts[n] == string(le) {
			s.endsOpen = n == s.layout.open
		} else {
			s.own = make([]string, n, n+16)
			if s.layout != nil {
				copy(s.own, s.layout.texts)
			}
		}
	}
	if s.own != nil {
		text := s.fam.intern(le)
		s.own = append(s.own, text)
		s.endsOpen = text == "+Inf" || text == "Inf"
	}
	if s.lines != nil || line != s.line+n {
		s.scatter(line)
	}
	s.counts = append(s.counts, count)
}

// addAll takes buckets that stand on lines that follow each other, all or none:
// it is for those that have the bounds of the layout.
func (s *series) addAll(les [][]byte, counts []float64, line int) bool {
	n := len(s.counts)
	if s.own != nil || s.layout == nil || s.lines != nil || line != s.line+n || n+len(les) > len(s.layout.texts) {
		return false
	}
	for i, text := range s.layout.texts[n : n+len(les)] {
		if text != string(les[i]) {
			return false
		}
	}
	s.counts = append(s.counts, counts...)
	s.endsOpen = len(s.counts)-1 == s.layout.open
	return true
}

// scatter notes a bucket that does not stand on the line after the last one.
func (s *series) scatter(line int) {
	for i := len(s.lines); i < len(s.counts); i++ {
		s.lines = append(s.lines, s.line+i)
	}
	s.lines = append(s.lines, line)
}

// lineOf is where the i-th bucket stands.
func (s *series) lineOf(i int) int {
	if s.lines == nil {
		return s.line + i
	}
	return s.lines[i]
}

// at notes a sample's time, to tell a scrape from a dump of many.
func (s *series) at(time float64, line int) {
	if s.timed && s.time != time && s.fam.dumped == 0 {
		s.fam.dumped = line
	}
	s.time, s.timed = time, true
}

// reuse makes s ready for another series of the same family.
func (s *series) reuse() {
	*s = series{fam: s.fam, counts: s.counts[:0]}
}

// texts are the bounds of the buckets that were read.
func (s *series) texts() []string {
	if s.own != nil || s.layout == nil {
		return s.own
	}
	return s.layout.texts[:len(s.counts)]
}
