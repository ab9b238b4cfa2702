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
			case bytes.HasPrefix(line, []byte("  Socket errors: ")), bytes.HasPrefix(line, []byte("  Non-2xx or 3xx responses: ")):
				_, counts, _ := bytes.Cut(line, []byte(": "))
				failed, _ := wholes(counts)
				for _, f := range failed {
					c.failed += int(f)
				}
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
