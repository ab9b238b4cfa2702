package source

import (
	"bytes"
	"time"
)

// pingTimeout is how long iputils and BSD ping wait for a reply at most.
const pingTimeout = 10 * time.Second

// ping is a transcript of ping: iputils, BusyBox, macOS or Windows, in any
// language. Where the replies are not listed (-q) the summary's minimum and
// maximum stand for them.
var ping = format{
	name:  "ping",
	about: "a transcript of ping",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, _, ok := pingReply(line); ok {
				return true
			}
			if _, _, ok := pingSummary(line); ok {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		s := &samples{in: in}
		var sent, received uint64
		counted := false
		var least, most [2]time.Duration
		summary := 0
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			if down, up, ok := pingReply(line); ok {
				s.add(down, up, l.n)
			} else if n, m, ok := pingCounts(line); ok && !counted {
				sent, received, counted = n, m, true
			} else if lo, hi, ok := pingSummary(line); ok && summary == 0 {
				least, most, summary = lo, hi, l.n
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		if s.n == 0 && summary > 0 && counted {
			if err := s.spread(received, least, most, summary); err != nil {
				return nil, err
			}
		}
		if counted && sent > received {
			s.lost = min(sent-received, 1<<40)
		}
		return s.roundTrips("ping", "ms", pingTimeout)
	},
}

// pingReply reads the time of a reply: time=0.180 ms, time<1ms, Zeit=12ms.
// Every reply names its ttl, whatever the language.
func pingReply(line []byte) (down, up time.Duration, ok bool) {
	if !bytes.Contains(line, []byte("ttl=")) && !bytes.Contains(line, []byte("TTL=")) {
		return 0, 0, false
	}
	end := bytes.LastIndex(line, []byte("ms"))
	if end < 0 {
		return 0, 0, false
	}
	digits := bytes.TrimRight(line[:end], " ")
	from := bytes.LastIndexAny(digits, "=<")
	if from < 0 {
		return 0, 0, false
	}
	down, up, ok = printed(point(digits[from+1:]), time.Millisecond)
	if digits[from] == '<' {
		down = 0
	}
	return down, up, ok
}

// pingCounts reads "10 packets transmitted, 9 received" and its kin.
func pingCounts(line []byte) (sent, received uint64, ok bool) {
	before, after, ok := bytes.Cut(line, []byte(" packets transmitted, "))
	if !ok {
		return 0, 0, false
	}
	sent, ok1 := whole(before[bytes.LastIndexByte(before, ' ')+1:])
	digits, _, _ := bytes.Cut(after, []byte(" "))
	received, ok2 := whole(digits)
	return sent, received, ok1 && ok2
}

// pingSummary reads "rtt min/avg/max/mdev = a/b/c/d ms".
func pingSummary(line []byte) (least, most [2]time.Duration, ok bool) {
	_, rest, ok := bytes.Cut(line, []byte(" min/avg/max"))
	if !ok {
		return least, most, false
	}
	_, rest, ok = bytes.Cut(rest, []byte(" = "))
	parts := bytes.Split(bytes.TrimSpace(rest), []byte("/"))
	if !ok || len(parts) < 3 {
		return least, most, false
	}
	last, _, _ := bytes.Cut(parts[2], []byte(" "))
	var ok1, ok2 bool
	least[0], least[1], ok1 = printed(parts[0], time.Millisecond)
	most[0], most[1], ok2 = printed(last, time.Millisecond)
	return least, most, ok1 && ok2
}

// whole reads a count.
func whole(text []byte) (uint64, bool) {
	var n uint64
	if len(text) == 0 || len(text) > 15 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}
