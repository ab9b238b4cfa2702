package source

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"time"
)

// records collects one field of every record.
type records struct {
	samples
	path   []string
	unit   time.Duration
	fields []string // that hold numbers, as --field spells them
	empty  int      // records without the field

	// Where records go over several lines, the rest is read as one.
	rest *io.PipeWriter
	done chan error
}

// read splits the input at the ends of its lines, as long as records end there
// too.
func (rs *records) read() error {
	if rs.in.workers() == 1 || bytes.HasPrefix(bytes.TrimSpace(rs.in.head), []byte("[")) {
		return rs.stream(newJSON(rs.in))
	}
	_, err := split(newLines(rs.in), func() *recordBlocks { return &recordBlocks{whole: rs} })
	if rs.rest != nil {
		rs.rest.CloseWithError(err)
		err = <-rs.done
	}
	return err
}

// stream reads all records of j.
func (rs *records) stream(j *jsonReader) error {
	r := recordReader{jsonReader: j, path: rs.path, unit: rs.unit, fields: rs.fields, n: rs.n, add: rs.add, digits: &rs.digits}
	err := r.all()
	rs.fields, rs.empty = r.fields, rs.empty+r.empty
	return err
}

// streamFrom does so with what is written to rest.
func (rs *records) streamFrom(line int) {
	var r *io.PipeReader
	r, rs.rest = io.Pipe()
	rs.done = make(chan error)
	j := newJSON(&input{name: rs.in.name, r: bufio.NewReader(r)})
	j.line = line
	go func() {
		err := rs.stream(j)
		r.Close()
		rs.done <- err
	}()
}

// recordBlocks reads blocks as if a record began with each. Whether one does
// shows when the blocks before it have been passed on.
type recordBlocks struct {
	whole  *records
	block  *lines
	r      recordReader
	first  int // line
	values []recordValue
	digits lastDigit
	clean  bool
}

type recordValue struct {
	down, up time.Duration
	line     int
}

func (b *recordBlocks) read(block *lines) error {
	b.block, b.first, b.values, b.digits = block, block.n+1, b.values[:0], lastDigit{}
	j := &jsonReader{in: block.in, buf: block.buf[:block.end], end: block.end, eof: true, line: b.first}
	b.r = recordReader{jsonReader: j, path: b.whole.path, unit: b.whole.unit, digits: &b.digits, add: func(down, up time.Duration, line int) {
		b.values = append(b.values, recordValue{down, up, line})
	}}
	b.clean = b.r.all() == nil
	return block.err
}

func (b *recordBlocks) pass() {
	rs := b.whole
	if rs.rest == nil && b.clean {
		for _, v := range b.values {
			rs.add(v.down, v.up, v.line)
		}
		for _, name := range b.r.fields {
			if len(rs.fields) < mostFields && !slices.Contains(rs.fields, name) {
				rs.fields = append(rs.fields, name)
			}
		}
		rs.empty += b.r.empty
		rs.digits.merge(b.digits)
		return
	}
	if rs.rest == nil {
		rs.streamFrom(b.first)
	}
	rs.rest.Write(b.block.buf[:b.block.end])
}
