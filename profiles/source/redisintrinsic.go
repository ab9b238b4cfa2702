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
		s := &samples{in: in}
		var down, up time.Duration
		at := 0
		err := in.each(func(line []byte, n int) (bool, error) {
			begin := bytes.LastIndex(line, []byte("Max latency so far: "))
			if begin < 0 {
				return false, nil
			}
			digits, _, ok := bytes.Cut(line[begin+len("Max latency so far: "):], []byte(" microseconds"))
			if !ok {
				return false, nil // cut off
			}
			lo, hi, ok := printed(digits, time.Microsecond)
			if !ok {
				return false, in.usagef(n, "a latency that is no number: %s", show(digits))
			}
			if hi >= up { // of several runs the longest
				down, up, at = lo, hi, n
			}
			return true, nil
		})
		if err != nil {
			return nil, err
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
