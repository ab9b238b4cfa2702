package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// cyclictest is cyclictest -h: counts by whole microseconds for each thread.
// What was longer than the table is counted as overflows; only the longest of
// all is known of them.
var cyclictest = format{
	name:  "cyclictest",
	about: "cyclictest -h",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("# Max Latencies:")) || bytes.HasPrefix(head, []byte("# /dev/cpu_dma_latency")) || bytes.Contains(head, []byte("# Histogram\n"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		s := &samples{in: in}
		var top uint64 // the row that is not in the table any more
		var most, overflows uint64
		ended := false
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			if rest, ok := bytes.CutPrefix(line, []byte("# Max Latencies:")); ok {
				for _, word := range bytes.Fields(rest) {
					n, ok := whole(word)
					if !ok || n > 1e12 {
						return nil, in.usagef(l.n, "a maximum that cannot be read: %s", show(word))
					}
					most = max(most, n)
				}
				ended = true
				continue
			}
			if rest, ok := bytes.CutPrefix(line, []byte("# Histogram Overflows:")); ok {
				for _, word := range bytes.Fields(rest) {
					n, ok := whole(word)
					if !ok || n > 1e12 {
						return nil, in.usagef(l.n, "overflows that cannot be read: %s", show(word))
					}
					overflows += n
				}
				continue
			}
			if len(line) == 0 || line[0] < '0' || line[0] > '9' {
				continue
			}
			words := bytes.Fields(line)
			us, ok := whole(words[0])
			if !ok || len(words) < 2 || us > 1e12 {
				return nil, in.usagef(l.n, "a row that cannot be read: %s", show(line))
			}
			top = max(top, us+1)
			for _, word := range words[1:] {
				n, ok := whole(word)
				if !ok || n > 1e12 {
					return nil, in.usagef(l.n, "a count that cannot be read: %s", show(word))
				}
				if n > 0 {
					s.add(time.Duration(us)*time.Microsecond, time.Duration(us+1)*time.Microsecond, l.n)
					s.b.AddRange(time.Duration(us)*time.Microsecond, time.Duration(us+1)*time.Microsecond, n-1)
				}
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		if !ended {
			return nil, in.usagef(l.n, "the table is cut off: no maximum latencies under it")
		}
		if overflows > 0 {
			if most+1 < top {
				return nil, in.usagef(l.n, "overflows below the end of the table")
			}
			longest := time.Duration(most+1) * time.Microsecond
			s.b.AddRange(time.Duration(top)*time.Microsecond, longest, overflows-1)
			s.add(time.Duration(most)*time.Microsecond, longest, l.n)
		}
		o, err := s.observe("cyclictest", "us")
		if err != nil {
			return nil, err
		}
		o.Measures = Pause
		o.add("LP208", finding.Info, o.Line, "the delays of this machine under this load: another host has others", "run it where the holder runs")
		return o, nil
	},
}
