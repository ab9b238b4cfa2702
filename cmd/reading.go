package cmd

import (
	"fmt"
	"io"
	"time"
)

// The progress of reading begins after a second and is told a few times a second.
const (
	progressAfter = time.Second
	progressEvery = 250 * time.Millisecond
)

// reading tells on a terminal how much of an input was read, once that takes
// long enough to wonder.
type reading struct {
	io.ReadCloser
	to    io.Writer
	now   func() time.Time
	name  string
	total int64 // 0 is not known
	read  int64
	begin time.Time
	last  time.Time
}

func newReading(r io.ReadCloser, to io.Writer, now func() time.Time, name string, total int64) *reading {
	begin := now()
	return &reading{ReadCloser: r, to: to, now: now, name: name, total: total, begin: begin, last: begin.Add(progressAfter - progressEvery)}
}

func (p *reading) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.read += int64(n)
	if now := p.now(); now.Sub(p.last) >= progressEvery {
		p.last = now
		of := ""
		if p.total > 0 {
			of = fmt.Sprintf(" of %d MB", p.total/1e6)
		}
		fmt.Fprintf(p.to, "\r\x1b[K%s: %d MB%s read", shown(p.name), p.read/1e6, of)
	}
	return n, err
}

// Close clears what was told.
func (p *reading) Close() error {
	if p.last.Sub(p.begin) >= progressAfter {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
	return p.ReadCloser.Close()
}
