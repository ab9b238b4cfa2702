package source

import (
	"bytes"
	"time"
)

// nodeGC is node --trace-gc. Every collection blocks the event loop, and with
// it the timer that renews; what was done in steps before blocked it too.
var nodeGC = format{
	name:  "node-gc",
	about: "node --trace-gc",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte(" ms: Scavenge ")) || bytes.Contains(head, []byte(" ms: Mark-Compact ")) || bytes.Contains(head, []byte(" ms: Mark-sweep "))
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
			at, rest, ok := bytes.Cut(line, []byte(" ms: "))
			if !ok || len(line) == 0 || line[0] != '[' {
				continue
			}
			head, rest, ok := bytes.Cut(rest, []byte(" / "))
			if !ok {
				continue
			}
			down, up, ok := printed(head[bytes.LastIndexByte(head, ' ')+1:], time.Millisecond)
			if !ok {
				return nil, in.usagef(l.n, "a collection without its time: %s", show(line))
			}
			s.add(down, up, l.n)
			if err := addSteps(s, rest, l.n); err != nil {
				return nil, err
			}
			if ms, _, ok := scaled(bytes.TrimSpace(at[bytes.LastIndexByte(at, ']')+1:]), time.Millisecond); ok {
				if first == 0 {
					first = ms
				}
				last = ms
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		o, err := s.observe("trace-gc", "ms")
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

// addSteps takes "(+ 1.9 ms in 2 steps since start of marking, biggest step
// 1.3 ms": of the others is known that they were not longer.
func addSteps(s *samples, text []byte, line int) error {
	_, rest, ok := bytes.Cut(text, []byte(" ms in "))
	if !ok {
		return nil
	}
	steps, rest, _ := bytes.Cut(rest, []byte(" steps"))
	_, rest, _ = bytes.Cut(rest, []byte("biggest step "))
	biggest, _, _ := bytes.Cut(rest, []byte(" ms"))
	n, isNumber := number(steps)
	down, up, ok := printed(biggest, time.Millisecond)
	if !isNumber || !ok || !(n >= 0 && n < 1e6) {
		return s.in.usagef(line, "incremental steps that cannot be read: %s", show(text))
	}
	if n > 0 {
		s.add(down, up, line)
		s.b.AddRange(0, up, uint64(n)-1)
		s.n += int(n) - 1
	}
	return nil
}
