package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// hey is hey's summary: seconds with four digits.
var hey = format{
	name:  "hey",
	about: "hey's summary",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("  Slowest:\t")) && bytes.Contains(head, []byte("  Requests/sec:\t"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		c := &claimed{in: in}
		return c.loadTest("s", "hey -o csv", func(line []byte, n int) (bool, error) {
			if rest, ok := bytes.CutPrefix(line, []byte("  Slowest:\t")); ok {
				c.take(1, bytes.TrimSuffix(rest, []byte(" secs")), time.Second, n)
				return true, nil
			}
			if c.heyCount(line) {
				return true, nil
			}
			p, rest, ok := bytes.Cut(line, []byte("% in "))
			if !ok {
				return false, nil
			}
			q, ok := percent(bytes.Trim(p, " %"))
			if !ok {
				return false, in.usagef(n, "a percentile that cannot be read: %s", show(line))
			}
			if q > 0 { // too few requests for a percentile leave "0% in 0.0000 secs"
				c.take(q, bytes.TrimSuffix(rest, []byte(" secs")), time.Second, n)
			}
			return true, nil
		})
	},
}

// heyCount takes a line of hey's two lists: "[503]\t10 responses" by status,
// "[5]\tGet ...: context deadline exceeded" by error.
func (c *claimed) heyCount(line []byte) bool {
	digits, text, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("  [")), []byte("]\t"))
	n, isNumber := whole(digits)
	if !ok || !isNumber || !bytes.HasPrefix(line, []byte("  [")) {
		return false
	}
	if digits, isStatus := bytes.CutSuffix(text, []byte(" responses")); isStatus {
		responses, _ := whole(digits)
		c.timed += responses
		if n >= 400 {
			c.failed += int(responses)
		}
		return true
	}
	c.failed += int(n)
	c.untimed += n
	if saysTimeout(text) {
		c.late += n
	}
	return true
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
			o.add("LP202", finding.Info, 0, "hey leaves requests without an answer out of its CSV: how many is not known", "hey's summary, which counts them")
			o.closedLoop()
		}
		return o, err
	},
}
