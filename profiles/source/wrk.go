package source

import (
	"bytes"
)

// wrk is wrk --latency: each value with its own unit, the longest in another
// table.
var wrk = format{
	name:  "wrk",
	about: "wrk --latency",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("  Thread Stats ")) && bytes.Contains(head, []byte("Latency Distribution"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		c := &claimed{in: in}
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			cells := bytes.Fields(line)
			var q float64
			var text []byte
			switch {
			case len(cells) >= 4 && string(cells[0]) == "Latency" && string(cells[1]) != "Distribution":
				q, text = 1, cells[3]
			case len(cells) == 2 && bytes.HasSuffix(cells[0], []byte("%")):
				if q, ok = percent(bytes.TrimSuffix(cells[0], []byte("%"))); !ok {
					continue
				}
				text = cells[1]
			default:
				continue
			}
			digits := bytes.TrimRight(text, "usmnh")
			unit, ok := spelled(text[len(digits):])
			if !ok {
				return nil, in.usagef(l.n, "%s is not a duration", show(text))
			}
			c.take(q, digits, unit, l.n)
		}
		if l.err != nil {
			return nil, l.err
		}
		o, err := c.observe("latency", "", "wrk2 --latency prints the whole distribution")
		if err == nil {
			o.closedLoop()
		}
		return o, err
	},
}
