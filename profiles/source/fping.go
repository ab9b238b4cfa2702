package source

import (
	"bytes"
	"time"
)

// fpingTimeout is the longest that fping waits by default when it counts.
const fpingTimeout = 2 * time.Second

// fping is the output of fping -C (every reply, "-" for a lost one) or -c
// (minimum and maximum).
var fping = format{
	name:  "fping",
	about: "fping -C or -c",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, ok := fpingReplies(line); ok || bytes.Contains(line, []byte(" : xmt/rcv/%loss = ")) {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		s := &samples{in: in}
		if err := in.each(s.fping); err != nil {
			return nil, err
		}
		return s.roundTrips("fping", "ms", fpingTimeout)
	},
}

// fping takes a host's line.
func (s *samples) fping(line []byte, n int) (bool, error) {
	if replies, ok := fpingReplies(line); ok {
		for _, reply := range replies {
			if string(reply) == "-" {
				s.lost++
				continue
			}
			down, up, _ := printed(reply, time.Millisecond)
			s.add(down, up, n)
		}
		return true, nil
	}
	_, rest, ok := bytes.Cut(line, []byte(" : xmt/rcv/%loss = "))
	if !ok {
		return false, nil
	}
	counts := bytes.SplitN(rest, []byte("/"), 3)
	if len(counts) < 3 {
		return false, s.in.usagef(n, "counts that cannot be read: %s", show(rest))
	}
	sent, ok1 := whole(counts[0])
	received, ok2 := whole(counts[1])
	if !ok1 || !ok2 || received > sent {
		return false, s.in.usagef(n, "counts that cannot be read: %s", show(rest))
	}
	s.lost += sent - received
	if least, most, ok := pingSummary(line); ok {
		return true, s.spread(received, least, most, n)
	}
	return true, nil
}

// fpingReplies cuts "host : 0.012 0.040 - 0.045".
func fpingReplies(line []byte) ([][]byte, bool) {
	host, rest, ok := bytes.Cut(line, []byte(" : "))
	if !ok || bytes.ContainsAny(bytes.TrimSpace(host), " \t{") {
		return nil, false
	}
	replies := bytes.Fields(rest)
	for _, reply := range replies {
		if _, _, ok := scaled(reply, time.Millisecond); !ok && string(reply) != "-" {
			return nil, false
		}
	}
	return replies, len(replies) > 0
}
