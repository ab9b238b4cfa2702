package source

import "io"

// aheadBlock is how much is unpacked at a time; aheadBlocks of them are on
// their way.
const (
	aheadBlock  = 256 << 10
	aheadBlocks = 4
)

// ahead unpacks on a second processor while the format is read on the first.
type ahead struct {
	filled chan block
	empty  chan []byte
	done   chan struct{}
	cur    block
	rest   []byte // of cur
}

type block struct {
	bytes []byte
	err   error // that came after the bytes
}

func newAhead(r io.Reader) *ahead {
	a := &ahead{filled: make(chan block, aheadBlocks), empty: make(chan []byte, aheadBlocks), done: make(chan struct{})}
	for range aheadBlocks {
		a.empty <- make([]byte, aheadBlock)
	}
	go a.fill(r)
	return a
}

func (a *ahead) fill(r io.Reader) {
	for {
		select {
		case <-a.done:
			return
		case b := <-a.empty:
			n := 0
			var err error
			for n < len(b) && err == nil {
				var m int
				m, err = r.Read(b[n:])
				n += m
			}
			a.filled <- block{b[:n], err} // never blocks: there is a place for each block
			if err != nil {
				return
			}
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.cur.err != nil {
			return 0, a.cur.err
		}
		if a.cur.bytes != nil {
			a.empty <- a.cur.bytes[:aheadBlock]
		}
		a.cur = <-a.filled
		a.rest = a.cur.bytes
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// stop ends the unpacking of what nobody will read.
func (a *ahead) stop() { close(a.done) }
