package source

import (
	"bytes"
)

// wrk is wrk --latency: each value with its own unit, the longest in another
// table. What took longer than --timeout is in neither.
var wrk = format{
	name:  "wrk",
	about: "wrk --latency",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("  Thread Stats ")) && bytes.Contains(head, []byte("Latency Distribution"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		c := &claimed{in: in}
		return c.loadTest("", "wrk2 --latency prints the whole distribution", func(line []byte, n int) (bool, error) {
			cells := bytes.Fields(line)
			var q float64
			var text []byte
			var ok bool
			switch {
			case c.wrkCount(line):
				return true, nil
			case len(cells) >= 4 && string(cells[0]) == "Latency" && string(cells[1]) != "Distribution":
				q, text = 1, cells[3]
			case len(cells) == 2 && bytes.HasSuffix(cells[0], []byte("%")):
				if q, ok = percent(bytes.TrimSuffix(cells[0], []byte("%"))); !ok {
					return false, nil
				}
				text = cells[1]
			default:
				return false, nil
			}
			digits := bytes.TrimRight(text, "usmnh")
			unit, ok := spelled(text[len(digits):])
			if !ok {
				return false, in.usagef(n, "%s is not a duration", show(text))
			}
			c.take(q, digits, unit, n)
			return true, nil
		})
	},
}

// wrkCount takes a line that counts requests. What came after --timeout is
// among those, but in none of the percentiles.
func (c *claimed) wrkCount(line []byte) bool {
	n, _ := wholes(line)
	switch {
	case bytes.Contains(line, []byte(" requests in ")) && len(n) > 0:
		c.timed += n[0]
	case bytes.HasPrefix(line, []byte("  Non-2xx or 3xx responses: ")) && len(n) == 2+1:
		c.failed += int(n[2])
	case bytes.HasPrefix(line, []byte("  Socket errors: connect ")) && len(n) == 4:
		errors := n[0] + n[1] + n[2]
		c.late += n[3]
		if n[3] <= c.timed { // wrk 3 counted those that had not come yet
			c.timed -= n[3]
		}
		c.untimed += errors + n[3]
		c.failed += int(errors + n[3])
	default:
		return false
	}
	return true
}
