package source

import (
	"bytes"
	"math"
)

// promText is the Prometheus text exposition (0.0.4 and 1.0.0), and
// OpenMetrics text, which differs from it in exemplars, units and its end.
var promText = format{
	name:     "prometheus",
	about:    "Prometheus text exposition and OpenMetrics text, also federated",
	counters: true,
	sniff:    looksLikeExposition,
	read: func(in *input, q *Query) (*Observation, error) {
		t := &textReader{lines: newLines(in), families: newFamilies(in, q)}
		if q.isSnapshot() {
			if err := t.families.foresee(in); err != nil {
				return nil, err
			}
		}
		if err := t.run(); err != nil {
			return nil, err
		}
		return t.families.observe()
	},
}

// textReader reads a page line by line. Lines of one histogram differ in le
// and count alone, so the bytes around them are remembered: a line that has
// the same ones needs neither its name nor its labels cut again.
type textReader struct {
	*lines
	families *families

	at            sample
	cur           *series
	before, after []byte // of the value of le, up to the count
	base          int    // length of the metric's name in before
	others        []byte // the labels without le, brace first; nil where le is not the last
	passed        []byte // the last name that was not asked for
	apart         bool   // no line can begin with both it and the wanted one

	openMetrics int // a line that only OpenMetrics has
	ended       bool
}

func (t *textReader) run() error {
	name := []byte(t.families.metric)
	if t.families.metric == eventLoop {
		name = bytes.TrimSuffix(name, []byte("seconds"))
	}
	for {
		if t.cur != nil {
			t.burst()
		}
		if len(name) > 0 {
			t.skipTo()
		}
		line, ok := t.next()
		if !ok {
			break
		}
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			line = bytes.TrimLeft(line, " \t")
		}
		if len(line) == 0 {
			continue
		}
		if line[0] == '#' {
			t.comment(line)
			continue
		}
		if t.cur != nil {
			if bytes.HasPrefix(line, t.before) && t.again(line[len(t.before):]) || t.closing(line) {
				continue
			}
		}
		if len(name) > 0 && line[0] != '{' && !bytes.HasPrefix(line, name) {
			t.skip(line)
			continue
		}
		if err := t.sample(line); err != nil {
			return err
		}
	}
	t.settle()
	if t.err != nil {
		return t.err
	}
	if t.openMetrics > 0 && !t.ended {
		return t.in.usagef(t.n, "OpenMetrics text without # EOF: it is cut off").Hintf("fetch the page again")
	}
	return nil
}

// burst takes the buckets of the current series that follow in the buffer and
// are spelled like those before them: the same bytes around le and count, the
// bounds of the family's last layout, and whole counts. It does not look for
// the ends of lines, which comparing finds anyway. Whatever is spelled
// otherwise is left to the careful path.
func (t *textReader) burst() {
	s := t.cur
	if s.own != nil || s.layout == nil || s.lines != nil || len(t.after) == 0 {
		return
	}
	texts := s.layout.texts
	for at := len(s.counts); at < len(texts) && t.n+1 == s.line+at; at++ {
		b := t.buf[t.start:t.end]
		le := texts[at]
		after := len(t.before) + len(le)
		i := after + len(t.after)
		if len(b) < i+17 || string(b[len(t.before):after]) != le || !bytes.Equal(b[after:i], t.after) || !bytes.Equal(b[:len(t.before)], t.before) {
			return
		}
		var count uint64
		from := i
		for ; b[i]-'0' < 10; i++ {
			if i-from == 15 {
				return
			}
			count = count*10 + uint64(b[i]-'0')
		}
		if i == from || b[i] != '\n' {
			return
		}
		s.counts = append(s.counts, float64(count))
		s.endsOpen = at == s.layout.open
		t.start += i + 1
		t.n++
	}
}

// skipTo passes over lines of the buffer that begin with the name that was
// passed over last. Whatever begins otherwise is left to the careful path.
func (t *textReader) skipTo() {
	if !t.apart {
		return
	}
	unlike := t.passed
	for {
		b := t.buf[t.start:t.end]
		if !bytes.HasPrefix(b, unlike) {
			return
		}
		end := bytes.IndexByte(b[len(unlike):], '\n')
		if end < 0 {
			return
		}
		t.start += len(unlike) + end + 1
		t.n++
	}
}

// differs says whether neither name is the start of the other.
func differs(a, b []byte) bool {
	n := min(len(a), len(b))
	return !bytes.Equal(a[:n], b[:n])
}

// again takes a further bucket of the current series from behind le=".
func (t *textReader) again(rest []byte) bool {
	end := 0
	for end < len(rest) && rest[end] != '"' {
		end++
	}
	if !bytes.HasPrefix(rest[end:], t.after) {
		return false
	}
	count, more, ok := leadingNumber(rest[end+len(t.after):])
	if !ok {
		return false
	}
	t.cur.add(rest[:end], count, t.n)
	return len(more) == 0 || t.trailer(more, t.cur)
}

// closing takes the _sum and _count of the current series, which follow its
// buckets.
func (t *textReader) closing(line []byte) bool {
	if t.others == nil || len(line) < t.base+4 || !bytes.Equal(line[:t.base], t.before[:t.base]) {
		return false
	}
	rest := line[t.base:]
	isSum := false
	switch {
	case bytes.HasPrefix(rest, []byte("_sum")):
		isSum, rest = true, rest[4:]
	case bytes.HasPrefix(rest, []byte("_count")):
		rest = rest[6:]
	default:
		return false
	}
	if !bytes.HasPrefix(rest, t.others) {
		return false
	}
	rest = rest[len(t.others):]
	if len(t.others) > 0 {
		if len(rest) == 0 || rest[0] != '}' {
			return false
		}
		rest = rest[1:]
	}
	if len(rest) == 0 || rest[0] != ' ' {
		return false
	}
	value, more, ok := leadingNumber(rest[1:])
	if !ok || len(more) > 0 {
		return false
	}
	if isSum {
		t.cur.sum, t.cur.hasSum = value, true
	} else {
		t.cur.count, t.cur.hasCount = value, true
	}
	return true
}

// remember keeps what the following lines of a series have in common.
func (t *textReader) remember(s *sample, line []byte) {
	t.before = append(t.before[:0], line[:s.leFrom]...)
	t.after = append(t.after[:0], line[s.leTo:s.restFrom]...)
	t.base = len(s.name) - len("_bucket")
	t.others = nil
	if string(t.after) != `"} ` || line[0] == '{' {
		return
	}
	labels := line[len(s.name) : s.leFrom-len(`le="`)]
	switch {
	case len(labels) == 1:
		t.others = t.before[:0] // no label but le: no braces either
	case labels[len(labels)-1] == ',':
		t.others = t.before[len(s.name) : len(s.name)+len(labels)-1]
	}
}

// skip passes over a line of another metric. Only histograms' names are kept,
// for the hint when the one that is asked for is not there.
func (t *textReader) skip(line []byte) {
	if t.isPassed(line) {
		return
	}
	end := 0
	for end < len(line) && line[end] != '{' && line[end] != ' ' {
		end++
	}
	base, ok := bytes.CutSuffix(line[:end], []byte("_bucket"))
	if ok {
		t.families.pass(base)
	}
	t.passed = append(t.passed[:0], base...)
	t.apart = differs(t.passed, []byte(t.families.metric))
}

// isPassed says whether a line is of the metric that was passed over last.
func (t *textReader) isPassed(line []byte) bool {
	n := len(t.passed)
	if n == 0 || len(line) < n+4 || !bytes.Equal(line[:n], t.passed) {
		return false
	}
	next := string(line[n : n+4])
	return next[0] == '{' || next[0] == ' ' || next == "_buc" || next == "_sum" || next == "_cou"
}

// sample takes any line of an exposition.
func (t *textReader) sample(line []byte) error {
	s := &t.at
	if !s.cut(line) {
		return t.in.usagef(t.n, "neither a sample nor a comment: %s", show(line))
	}
	value, more, ok := leadingNumber(s.rest)
	if !ok {
		return t.in.usagef(t.n, "%s is not a number", show(s.rest))
	}
	series := t.take(s, value)
	if series != nil && s.restFrom > s.leTo {
		t.remember(s, line)
	}
	if len(more) > 0 && !t.trailer(more, series) {
		return t.in.usagef(t.n, "%s does not belong behind a value", show(more))
	}
	return nil
}

// take files a sample under its family and returns its series when it is a
// bucket.
func (t *textReader) take(s *sample, value float64) *series {
	name := s.name
	switch {
	case s.leFrom > 0 && bytes.HasSuffix(name, []byte("_bucket")):
		f, id := t.family(s, "_bucket")
		if f == nil {
			return nil
		}
		if t.cur == nil || t.cur.fam != f || t.cur.id != id {
			t.settle()
			t.cur = f.fresh(id, t.n)
		}
		if t.cur != nil {
			t.cur.add(s.get("le"), value, t.n)
		}
		return t.cur
	case bytes.HasSuffix(name, []byte("_bucket")):
		if text := s.get("vmrange"); text != nil {
			if f, id := t.family(s, "_bucket"); f != nil {
				f.inRange(id, text, value, t.n)
			}
		}
	case bytes.HasSuffix(name, []byte("_count")):
		if f, id := t.family(s, "_count"); f != nil {
			t.parkIf(f, id)
			f.tallied(id, value, t.n)
		}
	case bytes.HasSuffix(name, []byte("_sum")):
		if f, id := t.family(s, "_sum"); f != nil {
			t.parkIf(f, id)
			f.summed(id, value)
		}
	default:
		if q := s.get("quantile"); q != nil {
			if f, _ := t.family(s, ""); f != nil {
				f.claim(q, value, t.n)
			}
			break
		}
		t.lag(s, value)
	}
	return nil
}

// family is that of a sample, or nil when it is not asked for.
func (t *textReader) family(s *sample, suffix string) (*family, uint64) {
	name := s.name[:len(s.name)-len(suffix)]
	if !t.families.wanted(name) {
		if suffix == "_bucket" || suffix == "" {
			t.families.pass(name)
		}
		return nil, 0
	}
	if len(t.families.q.Match) > 0 && !s.matches(t.families.q.Match) {
		return nil, 0
	}
	if suffix == "_count" || suffix == "_sum" {
		// Any counter may end so; only a known metric's is of interest.
		return t.families.known(name), s.id()
	}
	return t.families.of(name), s.id()
}

// parkIf lets the family find the current series by its id.
func (t *textReader) parkIf(f *family, id uint64) {
	if t.cur != nil && t.cur.fam == f && t.cur.id == id {
		f.park(t.cur)
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

// trailer reads what may follow a value: a timestamp, an exemplar, both.
func (t *textReader) trailer(rest []byte, s *series) bool {
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) > 0 && rest[0] != '#' {
		time, after, ok := leadingNumber(rest)
		if !ok || math.IsNaN(time) {
			return false
		}
		if s != nil {
			s.at(time, t.n)
		}
		rest = bytes.TrimLeft(after, " \t")
	}
	if len(rest) == 0 {
		return true
	}
	if rest[0] != '#' {
		return false
	}
	t.openMetrics = t.n
	if s != nil && s.endsOpen {
		s.fam.example(rest)
	}
	return true
}

func (t *textReader) comment(line []byte) {
	fields := bytes.Fields(line)
	if len(fields) == 2 && string(fields[1]) == "EOF" {
		t.ended = true
		return
	}
	if len(fields) < 4 || string(fields[0]) != "#" {
		return
	}
	kind, name := string(fields[1]), bytes.Trim(fields[2], `"`)
	if kind != "TYPE" && kind != "UNIT" {
		return
	}
	if kind == "UNIT" {
		t.openMetrics = t.n
	}
	of := string(fields[3])
	if !t.families.wanted(name) {
		if of == "histogram" || of == "summary" {
			t.families.pass(name)
		}
		return
	}
	f := t.families.of(name)
	switch {
	case f == nil:
	case kind == "UNIT":
		f.declared = of
	default:
		f.kind = of
	}
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
			if !s.cut(line) || !isMetricName(s.name) {
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
