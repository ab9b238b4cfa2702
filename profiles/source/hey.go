package source

import (
	"bytes"
	"time"
)

// hey is hey's summary: seconds with four digits.
var hey = format{
	name:  "hey",
	about: "hey's summary",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("  Slowest:\t")) && bytes.Contains(head, []byte("  Requests/sec:\t"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		c := &claimed{in: in}
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			if rest, ok := bytes.CutPrefix(line, []byte("  Slowest:\t")); ok {
				c.take(1, bytes.TrimSuffix(rest, []byte(" secs")), time.Second, l.n)
				continue
			}
			p, rest, ok := bytes.Cut(line, []byte("% in "))
			if !ok {
				continue
			}
			q, ok := percent(bytes.Trim(p, " %"))
			if !ok {
				return nil, in.usagef(l.n, "a percentile that cannot be read: %s", show(line))
			}
			c.take(q, bytes.TrimSuffix(rest, []byte(" secs")), time.Second, l.n)
		}
		if l.err != nil {
			return nil, l.err
		}
		o, err := c.observe("latency", "s", "hey -o csv")
		if err == nil {
			o.closedLoop()
		}
		return o, err
	},
}

// heyCSV is hey -o csv: every request, in seconds with four digits.
var heyCSV = format{
	name:  "hey-csv",
	about: "hey -o csv",
	sniff: func(head []byte) bool { return bytes.HasPrefix(head, []byte("response-time,DNS+dialup,")) },
	read: func(in *input, q *Query) (*Observation, error) {
		all := *q
		all.Column, all.Unit = "response-time", "s"
		o, err := readTable(in, &all, true)
		if err == nil {
			o.closedLoop()
		}
		return o, err
	},
}
