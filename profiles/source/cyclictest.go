package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// cyclictest is cyclictest -h: counts by whole microseconds for each thread.
// What was longer than the table is counted as overflows; only the longest of
// all is known of them. Several tables in one file add up.
var cyclictest = format{
	name:  "cyclictest",
	about: "cyclictest -h",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("# Max Latencies:")) || bytes.HasPrefix(head, []byte("# /dev/cpu_dma_latency")) || bytes.Contains(head, []byte("# Histogram\n"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		t := cyclicTable{samples: samples{in: in}}
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			if err := t.take(line, l.n); err != nil {
				return nil, err
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		if t.open || t.n == 0 && !t.ended {
			return nil, in.usagef(l.n, "the table is cut off: no histogram overflows under it")
		}
		o, err := t.observe("cyclictest", "us")
		if err != nil {
			return nil, err
		}
		o.Measures = Pause
		o.add("LP208", finding.Info, o.Line, "the delays of this machine under this load: another host has others", "run it where the holder runs")
		return o, nil
	},
}

type cyclicTable struct {
	samples
	top   uint64 // the row that is not in the table any more
	most  uint64
	known bool // most was there
	open  bool // something of a table, but not yet its end
	ended bool
}

func (t *cyclicTable) take(line []byte, n int) error {
	if rest, ok := bytes.CutPrefix(line, []byte("# Max Latencies:")); ok {
		t.open, t.known = true, true
		for _, word := range bytes.Fields(rest) {
			us, ok := whole(word)
			if !ok || us > 1e12 {
				return t.in.usagef(n, "a maximum that cannot be read: %s", show(word))
			}
			t.most = max(t.most, us)
		}
		return nil
	}
	if rest, ok := bytes.CutPrefix(line, []byte("# Histogram Overflows:")); ok {
		var overflows uint64
		for _, word := range bytes.Fields(rest) {
			us, ok := whole(word)
			if !ok || us > 1e12 {
				return t.in.usagef(n, "overflows that cannot be read: %s", show(word))
			}
			overflows += us
		}
		return t.end(overflows, n)
	}
	if len(line) == 0 || line[0] < '0' || line[0] > '9' {
		return nil
	}
	return t.row(line, n)
}

// row takes a latency and how often each thread saw it.
func (t *cyclicTable) row(line []byte, n int) error {
	words := bytes.Fields(line)
	us, ok := whole(words[0])
	if !ok || len(words) < 2 || us > 1e12 {
		return t.in.usagef(n, "a row that cannot be read: %s", show(line))
	}
	t.open = true
	t.top = max(t.top, us+1)
	for _, word := range words[1:] {
		times, ok := whole(word)
		if !ok || times > 1e12 {
			return t.in.usagef(n, "a count that cannot be read: %s", show(word))
		}
		if times > 0 {
			t.add(time.Duration(us)*time.Microsecond, time.Duration(us+1)*time.Microsecond, n)
			t.b.AddRange(time.Duration(us)*time.Microsecond, time.Duration(us+1)*time.Microsecond, times-1)
		}
	}
	return nil
}

// end closes a table. A longest that is not in it stands for one sample at
// least, even where no overflow was counted.
func (t *cyclicTable) end(overflows uint64, line int) error {
	switch {
	case !t.known:
		return t.in.usagef(line, "the table has no maximum latencies")
	case overflows > 0 && t.most+1 < t.top:
		return t.in.usagef(line, "overflows below the end of the table")
	case overflows > 0 || t.most+1 > t.top:
		longest := time.Duration(t.most+1) * time.Microsecond
		t.b.AddRange(time.Duration(min(t.top, t.most))*time.Microsecond, longest, max(overflows, 1)-1)
		t.add(time.Duration(t.most)*time.Microsecond, longest, line)
	}
	t.top, t.most, t.known, t.open, t.ended = 0, 0, false, false, true
	return nil
}
