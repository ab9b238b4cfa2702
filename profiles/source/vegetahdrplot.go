package source

import (
	"bytes"
	"time"
)

// vegetaHDRPlot is vegeta report -type=hdrplot. It looks like HdrHistogram's
// table, but its values are interpolated by a digest that has no bound on its
// error: samples between two clusters are made up. So it says what vegeta's
// other report says, whose extremes alone are exact.
var vegetaHDRPlot = format{
	name:  "vegeta-hdrplot",
	about: "vegeta report -type=hdrplot",
	sniff: func(head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.HasPrefix(first, []byte("Value(ms)")) && bytes.Contains(first, []byte("1/(1-Percentile)")) && !bytes.Contains(head, []byte("#[Mean"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		c := &claimed{in: in}
		wanted := []float64{0.5, 0.9, 0.95, 0.99, 1}
		last := 0.0
		l.next()
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			cells := bytes.Fields(line)
			if len(cells) == 0 {
				continue
			}
			if len(cells) < 3 {
				return nil, in.usagef(l.n, "a row that cannot be read: %s", show(line))
			}
			at, ok := number(cells[1])
			total, ok2 := whole(cells[2])
			if !ok || !ok2 || at < last {
				return nil, in.usagef(l.n, "a row that cannot be read, or falls: %s", show(line))
			}
			// The first row from a percentile on bounds it.
			for len(wanted) > 0 && wanted[0] <= at {
				c.take(wanted[0], cells[0], time.Millisecond, l.n)
				wanted = wanted[1:]
			}
			last, c.requests = at, total
		}
		switch {
		case l.err != nil:
			return nil, l.err
		case last != 1:
			return nil, in.usagef(l.n, "the table is cut off: it does not end at percentile 1")
		}
		return c.observe("latency", "ms", "vegeta encode | lockplan observe -")
	},
}
