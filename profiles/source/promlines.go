package source

import (
	"bytes"
	"math"
)

// textLines takes the lines of some blocks of a page apart. Lines of one
// histogram differ in le and count alone, so the bytes around them are
// remembered: a line that has the same ones needs neither its name nor its
// labels cut again.
type textLines struct {
	*lines
	whole *textReader
	asked []byte // what lines of interest begin with; nil for all

	steps []textStep
	run   int       // where in counts those of the last step begin, if it may go on; else -1
	les   [][]byte  // the bounds of the last series, for comparison
	own   bool      // no step has les
	store []float64 // counts of all steps

	at            sample
	name          []byte // of the current series; nil before the first of a block
	id            uint64
	before, after []byte // of the value of le, up to the count
	base          int    // length of the metric's name in before
	others        []byte // the labels without le, brace first; nil where le is not the last
	passed        []byte // the last name that was not asked for
	apart         bool   // no line can begin with both it and the wanted one

	openMetrics int
	ended       bool // the block has # EOF
	blankTo     int  // the last line of those that are blank from it on, or from the block's begin
}

func newTextLines(whole *textReader) *textLines {
	t := &textLines{whole: whole, run: -1, asked: []byte(whole.families.metric)}
	if whole.families.metric == eventLoop {
		t.asked = bytes.TrimSuffix(t.asked, []byte("seconds"))
	}
	return t
}

func (t *textLines) pass() {
	for i := range t.steps {
		t.whole.take(&t.steps[i])
	}
	t.whole.n = t.n
	t.whole.openMetrics = max(t.whole.openMetrics, t.openMetrics)
	t.whole.ended = t.blankTo == t.n && (t.ended || t.whole.ended)
	t.steps, t.store = t.steps[:0], t.store[:0]
}

func (t *textLines) read(block *lines) error {
	t.lines, t.name = block, nil
	t.ended, t.blankTo = false, block.n
	err := t.all()
	t.endRun()
	return firstOf(err, t.err)
}

func (t *textLines) all() error {
	for {
		if t.name != nil {
			t.burst()
		}
		if len(t.asked) > 0 {
			t.skipTo()
		}
		line, ok := t.next()
		if !ok {
			return nil
		}
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			line = bytes.TrimLeft(line, " \t")
		}
		if len(line) == 0 {
			if t.blankTo == t.n-1 {
				t.blankTo = t.n
			}
			continue
		}
		if line[0] == '#' {
			t.comment(line)
			continue
		}
		if t.name != nil {
			if bytes.HasPrefix(line, t.before) && t.again(line[len(t.before):]) || t.closing(line) {
				continue
			}
		}
		if len(t.asked) > 0 && line[0] != '{' && !bytes.HasPrefix(line, t.asked) && !t.isStart(line) {
			t.skip(line)
			continue
		}
		if err := t.sample(line); err != nil {
			return err
		}
	}
}

// burst takes the buckets of the current series that follow in the buffer and
// are spelled like those before them: the same bytes around le and count, the
// bounds of the series before, and whole counts. It does not look for the ends
// of lines, which comparing finds anyway. Whatever is spelled otherwise is left
// to the careful path.
func (t *textLines) burst() {
	if t.run < 0 || len(t.after) == 0 {
		return
	}
	s := &t.steps[len(t.steps)-1]
	if s.timed {
		return
	}
	for at := len(t.store) - t.run; at < len(t.les) && t.n+1 == s.line+at; at++ {
		b := t.buf[t.start:t.end]
		le := t.les[at]
		after := len(t.before) + len(le)
		i := after + len(t.after)
		if len(b) < i+17 || !bytes.Equal(b[len(t.before):after], le) || !bytes.Equal(b[after:i], t.after) || !bytes.Equal(b[:len(t.before)], t.before) {
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
		t.store = append(t.store, float64(count))
		t.start += i + 1
		t.n++
	}
}

// again takes a further bucket of the current series from behind le=".
func (t *textLines) again(rest []byte) bool {
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
	behind, ok := t.trailer(more)
	if ok {
		t.bucket(rest[:end], count, behind)
	}
	return ok
}

// closing takes the _sum and _count of the current series, which follow its
// buckets.
func (t *textLines) closing(line []byte) bool {
	if t.others == nil || len(line) < t.base+4 || !bytes.Equal(line[:t.base], t.before[:t.base]) {
		return false
	}
	rest := line[t.base:]
	kind := textCount
	switch {
	case bytes.HasPrefix(rest, []byte("_sum")):
		kind, rest = textSum, rest[4:]
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
	t.tell(textStep{kind: kind, name: t.name, id: t.id, value: value})
	return true
}

// remember keeps what the following lines of a series have in common.
func (t *textLines) remember(s *sample, line []byte) {
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

// sample takes any line of an exposition.
func (t *textLines) sample(line []byte) error {
	s := &t.at
	if !s.cut(line) {
		return t.in.usagef(t.n, "neither a sample nor a comment: %s", show(line))
	}
	value, more, ok := leadingNumber(s.rest)
	if !ok {
		return t.in.usagef(t.n, "%s is not a number", show(s.rest))
	}
	behind, ok := t.trailer(more)
	if !ok {
		return t.in.usagef(t.n, "%s does not belong behind a value", show(more))
	}
	name := s.name
	switch {
	case bytes.HasSuffix(name, []byte("_bucket")):
		if s.leFrom > 0 {
			if name := t.metric(s, "_bucket"); name != nil {
				t.name, t.id = name, s.id()
				t.remember(s, line)
				t.endRun()
				t.bucket(s.get("le"), value, behind)
			}
		} else if text := s.get("vmrange"); text != nil {
			if name := t.metric(s, "_bucket"); name != nil {
				t.tell(textStep{kind: textRange, name: name, id: s.id(), text: text, value: value})
			}
		}
	case bytes.HasSuffix(name, []byte("_count")):
		if name := t.metric(s, "_count"); name != nil {
			t.tell(textStep{kind: textCount, name: name, id: s.id(), value: value})
		}
	case bytes.HasSuffix(name, []byte("_sum")):
		if name := t.metric(s, "_sum"); name != nil {
			t.tell(textStep{kind: textSum, name: name, id: s.id(), value: value})
		}
	default:
		if q := s.get("quantile"); q != nil {
			if name := t.metric(s, ""); name != nil {
				t.tell(textStep{kind: textQuantile, name: name, id: s.id(), text: q, value: value})
			}
		} else {
			t.lag(s, value)
			t.births(s, value)
		}
	}
	return nil
}

// metric is the name of a sample's metric, nil when it is not asked for.
func (t *textLines) metric(s *sample, suffix string) []byte {
	families := t.whole.families
	name := s.name[:len(s.name)-len(suffix)]
	if !families.wanted(name) {
		if suffix == "_bucket" || suffix == "" {
			t.passBy(name)
		}
		return nil
	}
	if len(families.q.Match) > 0 && !s.matches(families.q.Match) {
		return nil
	}
	return name
}

// trailer is what may follow a value: a timestamp, an exemplar, both.
type trailer struct {
	time     float64
	timed    bool
	exemplar []byte
}

func (t *textLines) trailer(rest []byte) (trailer, bool) {
	var behind trailer
	if rest = bytes.TrimLeft(rest, " \t"); len(rest) > 0 && rest[0] != '#' {
		time, after, ok := leadingNumber(rest)
		if !ok || math.IsNaN(time) {
			return behind, false
		}
		behind.time, behind.timed = time, true
		rest = bytes.TrimLeft(after, " \t")
	}
	if len(rest) == 0 {
		return behind, true
	}
	t.openMetrics = t.n
	behind.exemplar = rest
	return behind, rest[0] == '#'
}

func (t *textLines) comment(line []byte) {
	fields := bytes.Fields(line)
	if len(fields) == 2 && string(fields[1]) == "EOF" {
		t.openMetrics, t.ended, t.blankTo = t.n, true, t.n
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
	of := fields[3]
	switch {
	case t.whole.families.wanted(name) && kind == "UNIT":
		t.tell(textStep{kind: textUnit, name: name, text: of})
	case t.whole.families.wanted(name):
		t.tell(textStep{kind: textType, name: name, text: of})
	case string(of) == "histogram", string(of) == "summary":
		t.passBy(name)
	}
}
