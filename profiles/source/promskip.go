package source

import "bytes"

// skipTo passes over lines of the buffer that begin with the name that was
// passed over last. Whatever begins otherwise is left to the careful path.
func (t *textLines) skipTo() {
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

// skip passes over a line of another metric. Only histograms' names are kept,
// for the hint when the one that is asked for is not there.
func (t *textLines) skip(line []byte) {
	if t.isPassed(line) {
		return
	}
	end := 0
	for end < len(line) && line[end] != '{' && line[end] != ' ' {
		end++
	}
	base, ok := bytes.CutSuffix(line[:end], []byte("_bucket"))
	if ok {
		t.passBy(base)
	}
	t.passed = append(t.passed[:0], base...)
	t.apart = differs(t.passed, []byte(t.whole.families.metric))
}

// isPassed says whether a line is of the metric that was passed over last.
func (t *textLines) isPassed(line []byte) bool {
	n := len(t.passed)
	if n == 0 || len(line) < n+4 || !bytes.Equal(line[:n], t.passed) {
		return false
	}
	next := string(line[n : n+4])
	return next[0] == '{' || next[0] == ' ' || next == "_buc" || next == "_sum" || next == "_cou"
}
