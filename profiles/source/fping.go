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
		l := newLines(in)
		s := &samples{in: in}
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			if replies, ok := fpingReplies(line); ok {
				for _, reply := range replies {
					if string(reply) == "-" {
						s.lost++
						continue
					}
					down, up, _ := printed(reply, time.Millisecond)
					s.add(down, up, l.n)
				}
				continue
			}
			_, rest, ok := bytes.Cut(line, []byte(" : xmt/rcv/%loss = "))
			if !ok {
				continue
			}
			counts := bytes.SplitN(rest, []byte("/"), 3)
			if len(counts) < 3 {
				return nil, in.usagef(l.n, "counts that cannot be read: %s", show(rest))
			}
			sent, ok1 := whole(counts[0])
			received, ok2 := whole(counts[1])
			if !ok1 || !ok2 || received > sent {
				return nil, in.usagef(l.n, "counts that cannot be read: %s", show(rest))
			}
			s.lost += sent - received
			if least, most, ok := pingSummary(line); ok {
				if err := s.spread(received, least, most, l.n); err != nil {
					return nil, err
				}
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		return s.roundTrips("fping", "ms", fpingTimeout)
	},
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
