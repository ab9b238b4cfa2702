package source

import "bytes"

// promText is the Prometheus text exposition (0.0.4 and 1.0.0), and
// OpenMetrics text, which differs from it in exemplars, units and its end.
var promText = format{
	name:     "prometheus",
	about:    "Prometheus text exposition and OpenMetrics text, also federated",
	counters: true,
	sniff:    looksLikeExposition,
	read: func(in *input, q *Query) (*Observation, error) {
		t := &textReader{families: newFamilies(in, q)}
		if q.isSnapshot() {
			if err := t.families.foresee(in); err != nil {
				return nil, err
			}
		}
		if _, err := split(newLines(in), func() *textLines { return newTextLines(t) }); err != nil {
			return nil, err
		}
		t.settle()
		if t.openMetrics > 0 && !t.ended {
			return nil, in.usagef(t.n, "OpenMetrics text without # EOF as its last line: it is cut off").Hintf("fetch the page again")
		}
		return t.families.observe()
	},
}

// textReader puts together what the lines of a page tell.
type textReader struct {
	families    *families
	cur         *series
	n           int  // lines so far
	openMetrics int  // a line that only OpenMetrics has
	ended       bool // its last line is # EOF
}

// take files what a line tells; lines come in their order.
func (t *textReader) take(s *textStep) {
	switch s.kind {
	case textBuckets:
		t.buckets(s)
	case textSum, textCount:
		// Any counter may end so; only a known metric's is of interest.
		switch f := t.families.known(s.name); {
		case f == nil && s.kind == textCount:
			t.families.wait(s.name, s.id, tally{s.value, s.line})
		case f == nil:
		case t.cur != nil && t.cur.fam == f && t.cur.id == s.id && s.kind == textSum:
			t.cur.sum, t.cur.hasSum = s.value, true
		case t.cur != nil && t.cur.fam == f && t.cur.id == s.id:
			t.cur.count, t.cur.hasCount = s.value, true
		case s.kind == textSum:
			f.summed(s.id, s.value)
		default:
			f.tallied(s.id, s.value, s.line)
		}
	case textStart:
		t.families.q.kept.before.note(string(s.name), s.id, s.value)
	case textPassed:
		t.families.pass(s.name)
	default:
		f := t.families.of(s.name)
		switch {
		case f == nil:
		case s.kind == textRange:
			f.inRange(s.id, s.text, s.value, s.line)
		case s.kind == textQuantile:
			f.claim(s.id, s.text, s.value, s.line)
		case s.kind == textUnit:
			f.declared = string(s.text)
		case s.kind == textType:
			f.kind = string(s.text)
		}
	}
}

// buckets takes buckets of one series that stand on lines that follow each
// other.
func (t *textReader) buckets(s *textStep) {
	f := t.families.of(s.name)
	if f == nil {
		return
	}
	if t.cur == nil || t.cur.fam != f || t.cur.id != s.id {
		t.settle()
		t.cur = f.fresh(s.id, s.line)
	}
	if t.cur == nil || !t.cur.addAll(s.les, s.counts, s.line) {
		for i, count := range s.counts {
			if i > 0 && t.cur == nil {
				t.cur = f.fresh(s.id, s.line+i)
			}
			if t.cur != nil {
				t.cur.add(s.les[i], count, s.line+i)
			}
		}
	}
	if t.cur == nil {
		return
	}
	if s.timed {
		t.cur.at(s.time, s.line)
	}
	if s.text != nil && t.cur.endsOpen {
		f.example(s.text)
	}
}

// settle ends the current series when it is complete: its last bucket was
// +Inf. One whose +Inf came first may still go on.
func (t *textReader) settle() {
	switch {
	case t.cur == nil:
	case t.cur.endsOpen && len(t.cur.counts) > 1:
		t.cur.fam.finish(t.cur)
	default:
		t.cur.fam.park(t.cur)
	}
	t.cur = nil
}

// looksLikeExposition finds a line that only an exposition has among the
// first few.
func looksLikeExposition(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	var s sample
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case bytes.HasPrefix(line, []byte("# TYPE ")), bytes.HasPrefix(line, []byte("# HELP ")), bytes.Equal(line, []byte("# EOF")):
			return true
		case line[0] == '#':
		default:
			// A name in quotes may hold anything; in JSON a colon follows.
			if !s.cut(line) || line[0] != '{' && !isMetricName(s.name) {
				return false
			}
			_, more, ok := leadingNumber(s.rest)
			if more = bytes.TrimLeft(more, " \t"); ok && len(more) > 0 && more[0] != '#' {
				_, _, ok = leadingNumber(more)
			}
			return ok
		}
	}
	return false
}

func isMetricName(name []byte) bool {
	for i, c := range name {
		letter := c == '_' || c == ':' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 0
}
