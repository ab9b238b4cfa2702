package source

import (
	"bytes"
	"time"
)

// gctrace is what GODEBUG=gctrace=1 prints on stderr, among a program's own
// lines. The first and the last of the three clock times stop the world; the
// one between them runs beside the program.
var gctrace = format{
	name:  "gctrace",
	about: "Go's GODEBUG=gctrace=1",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, _, ok := cutGCTrace(line); ok {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		s := &samples{in: in}
		var first, last time.Duration
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			at, clock, ok := cutGCTrace(line)
			if !ok {
				continue
			}
			phases := bytes.Split(clock, []byte("+"))
			if len(phases) != 3 {
				return nil, in.usagef(l.n, "a trace line without three phases: %s", show(clock))
			}
			for _, i := range []int{0, 2} {
				down, up, ok := printed(phases[i], time.Millisecond)
				if !ok {
					return nil, in.usagef(l.n, "a phase that is no number: %s", show(phases[i]))
				}
				s.add(down, up, l.n)
			}
			if s.n == 2 {
				first = at
			}
			last = at
		}
		if l.err != nil {
			return nil, l.err
		}
		o, err := s.observe("gctrace", "ms")
		if err != nil {
			return nil, err
		}
		o.Measures = Pause
		if window := last - first; window > 0 {
			o.Window = &window
		}
		return o, nil
	},
}

// cutGCTrace takes the time and the phases out of gc 1 @0.058s 0%: a+b+c ms clock.
// A program's own output may stand before it on the line.
func cutGCTrace(line []byte) (at time.Duration, clock []byte, ok bool) {
	begin := bytes.Index(line, []byte("gc "))
	if begin < 0 {
		return 0, nil, false
	}
	_, rest, ok := bytes.Cut(line[begin:], []byte(" @"))
	seconds, rest, ok2 := bytes.Cut(rest, []byte("s "))
	_, rest, ok3 := bytes.Cut(rest, []byte("%: "))
	clock, _, ok4 := bytes.Cut(rest, []byte(" ms clock"))
	if !ok || !ok2 || !ok3 || !ok4 {
		return 0, nil, false
	}
	at, _, ok = scaled(seconds, time.Second)
	return at, clock, ok
}
