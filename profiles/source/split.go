package source

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// blockSize is how much of an input is read at a time where several processors
// read it; a variable, so that tests need no large input.
var blockSize = 256 << 10

// mostWorkers bounds the memory that reading takes on large machines.
const mostWorkers = 4

// worker reads blocks of whole lines while other workers read others.
type worker interface {
	// read takes a block into memory of its own. Lines have the numbers that
	// they have in the input.
	read(block *lines) error
	// pass hands on what it just read, in the order of the input: no other
	// worker does so at the same time.
	pass()
}

// split reads the rest of l on all processors. The error is the first of the
// input, as if it had been read from the top by one.
func split[W worker](l *lines, newWorker func() W) ([]W, error) {
	s := &splitter{in: l.in, rest: l.buf[l.start:l.end], ended: l.eof, err: l.err, n: l.n, delimiter: l.delimiter}
	workers := make([]W, l.in.workers())
	for i := range workers {
		workers[i] = newWorker()
	}
	s.alone = len(workers) == 1
	s.turn = make(chan struct{})
	close(s.turn)
	var others sync.WaitGroup
	for _, w := range workers[1:] {
		others.Go(func() { s.work(w) })
	}
	s.work(workers[0])
	others.Wait()
	return workers, s.failed
}

// workers is how many can read the input: what is no longer than a block is
// not worth a second one.
func (in *input) workers() int {
	if len(in.head) < min(headSize, blockSize) {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), mostWorkers)
}

// splitter cuts an input into blocks. Workers take turns: at reading, and in
// the same order at passing on.
type splitter struct {
	in    *input
	alone bool

	reading   sync.Mutex
	rest      []byte // that was read behind the last block
	ended     bool
	err       error
	n         int           // lines before the next block
	turn      chan struct{} // closed when the block before the next was passed on
	delimiter byte          // of a table, whose blocks are whole rows
	row       []byte        // room for one

	broken atomic.Bool // what follows is of no interest
	failed error       // of the worker whose turn it is
}

func (s *splitter) work(w worker) {
	block := &lines{in: s.in, eof: true, delimiter: s.delimiter}
	for {
		before, passed := s.cut(block)
		if before == nil {
			return
		}
		err := w.read(block)
		if s.alone {
			s.n = block.n
		}
		<-before
		if !s.broken.Load() {
			w.pass()
			s.failed = err
			s.broken.Store(err != nil)
		}
		close(passed)
	}
}

// cut makes b the next block, up to the end of a line. It gives the turns of
// the block before and of this one, nil when there is none.
func (s *splitter) cut(b *lines) (before <-chan struct{}, passed chan struct{}) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.broken.Load() || s.err != nil || s.ended && len(s.rest) == 0 {
		return nil, nil
	}
	s.fill(b)
	for s.delimiter != 0 && !s.endsRow(b) {
		s.fill(b)
	}
	b.start, b.n, b.err, b.inQuotes = 0, s.n, s.err, false
	if s.alone {
		return s.turn, make(chan struct{})
	}
	s.n += bytes.Count(b.buf[:b.end], []byte{'\n'})
	before, passed = s.turn, make(chan struct{})
	s.turn = passed
	return before, passed
}

// endsRow cuts b back to the end of a row of a table, the rest of which is not
// read yet; false takes b back, as it holds less than a row. What is no table
// at all stays as it is, for the worker to say so.
func (s *splitter) endsRow(b *lines) bool {
	if s.ended || s.err != nil || bytes.IndexByte(b.buf[:b.end], '"') < 0 {
		return true
	}
	ahead := lines{in: s.in, eof: true, delimiter: s.delimiter, buf: b.buf, end: b.end, row: s.row}
	end := 0
	for {
		if _, _, ok := ahead.nextRow(); !ok {
			break
		}
		end = ahead.start
	}
	s.row = ahead.row
	if !ahead.inQuotes || end == 0 && b.end > 2*longestLine {
		return true
	}
	s.rest = slices.Concat(b.buf[end:b.end], s.rest)
	b.end = end
	return end > 0
}

// fill reads until b holds the end of a line and all that it has room for.
func (s *splitter) fill(b *lines) {
	for len(b.buf) < blockSize || len(b.buf) <= len(s.rest) {
		b.buf = make([]byte, max(blockSize, 2*len(b.buf)))
	}
	n := copy(b.buf, s.rest)
	for !s.ended && s.err == nil {
		if n == len(b.buf) {
			if at := bytes.LastIndexByte(b.buf, '\n'); at >= 0 {
				b.end = at + 1
				s.rest = append(s.rest[:0], b.buf[b.end:n]...)
				return
			}
			if n >= longestLine {
				s.err = s.in.usagef(s.n+1, "a line longer than %d bytes", longestLine)
				break
			}
			b.buf = append(b.buf, make([]byte, n)...)
		}
		m, err := s.in.r.Read(b.buf[n:])
		n += m
		switch {
		case err == io.EOF:
			s.ended = true
		case err != nil:
			s.err = s.in.failed(err)
		}
	}
	b.end, s.rest = n, nil
}
