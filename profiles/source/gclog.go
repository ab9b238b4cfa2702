package source

import (
	"cmp"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// gcLog is what a collector prints among a program's own output, which may
// stand on the same line: before a collection, or in the middle of one.
type gcLog struct {
	samples
	// cut finds the next collection of a line: what stands before it, when it
	// was, and what follows.
	cut func(line []byte) (before []byte, at time.Duration, text []byte, ok bool)
	// take reads one collection; whole is false where it is not all there.
	take func(g *gcLog, text []byte, line int) (whole bool, err error)

	first, last  time.Duration
	torn, tornAt int // collections, and the line of the first
}

// read takes every collection of an input, all in milliseconds.
func (g *gcLog) read(metric string) (*Observation, error) {
	if err := g.in.each(g.line); err != nil {
		return nil, err
	}
	o, err := g.samples.observe(metric, "ms")
	if err != nil {
		return nil, err
	}
	o.Measures = Pause
	if window := g.last - g.first; window > 0 {
		o.Window = &window
	}
	if g.torn > 0 {
		o.add("LP202", finding.Warning, g.tornAt, count(g.torn, "collection is", "collections are")+" torn by other output or cut off: how long they took is not known", "the collector's log in a file of its own")
	}
	return o, nil
}

func (g *gcLog) line(line []byte, n int) (found bool, err error) {
	_, at, rest, ok := g.cut(line)
	for found = ok; ok && err == nil; {
		var next time.Duration
		var whole bool
		text := rest
		text, next, rest, ok = g.cut(text)
		if whole, err = g.take(g, text, n); !whole {
			g.torn, g.tornAt = g.torn+1, cmp.Or(g.tornAt, n)
		}
		if g.first == 0 {
			g.first = at
		}
		g.last, at = at, next
	}
	return found, err
}
