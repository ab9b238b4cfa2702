package source

import (
	"bytes"
	"io"
)

// longestLine is more than any of the formats writes; a longer line is
// something else, and reading on would only use up memory.
const longestLine = 1 << 20

// lines cuts an input into lines without copying them. A line is valid until
// the next call of next.
type lines struct {
	in         *input
	buf        []byte
	start, end int
	n          int // of the last line, 1-based
	eof        bool
	err        error
	delimiter  byte   // of a table's cells; 0 is a comma
	inQuotes   bool   // of a table whose cells have line breaks
	opened     int    // line of that quote
	row        []byte // that goes over several lines
}

func newLines(in *input) *lines {
	return &lines{in: in, buf: make([]byte, blockSize)}
}

// next is the next line without its end (LF or CRLF), or false at the end of
// the input or after an error, which err then holds.
func (l *lines) next() ([]byte, bool) {
	for {
		if i := bytes.IndexByte(l.buf[l.start:l.end], '\n'); i >= 0 {
			line := l.buf[l.start : l.start+i]
			l.start += i + 1
			l.n++
			if i > 0 && line[i-1] == '\r' {
				line = line[:i-1]
			}
			return line, true
		}
		if l.eof || l.err != nil {
			line := l.buf[l.start:l.end]
			l.start = l.end
			if len(line) == 0 || l.err != nil {
				return nil, false
			}
			l.n++
			return bytes.TrimSuffix(line, []byte("\r")), true
		}
		l.fill()
	}
}

func (l *lines) fill() {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		if len(l.buf) >= longestLine {
			l.err = l.in.usagef(l.n+1, "a line longer than %d bytes", longestLine)
			return
		}
		grown := make([]byte, 2*len(l.buf))
		copy(grown, l.buf)
		l.buf = grown
	}
	n, err := l.in.r.Read(l.buf[l.end:])
	l.end += n
	switch {
	case err == io.EOF:
		l.eof = true
	case err != nil:
		l.err = l.in.failed(err)
	}
}
