package source

import (
	"bytes"
	"time"
)

// redisIntrinsic is redis-cli --intrinsic-latency: how long the host left a
// busy process alone at worst. Only the longest stop is known.
var redisIntrinsic = format{
	name:  "redis-intrinsic",
	about: "redis-cli --intrinsic-latency",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("Max latency so far: ")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		s := &samples{in: in}
		var down, up time.Duration
		at := 0
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			begin := bytes.LastIndex(line, []byte("Max latency so far: "))
			if begin < 0 {
				continue
			}
			digits, _, ok := bytes.Cut(line[begin+len("Max latency so far: "):], []byte(" microseconds"))
			if !ok {
				continue
			}
			if down, up, ok = printed(digits, time.Microsecond); !ok {
				return nil, in.usagef(l.n, "a latency that is no number: %s", show(digits))
			}
			at = l.n
		}
		if l.err != nil {
			return nil, l.err
		}
		if at > 0 {
			s.add(down, up, at)
		}
		o, err := s.observe("intrinsic latency", "us")
		if err != nil {
			return nil, err
		}
		o.Measures = Pause
		return o, nil
	},
}
