package source

import (
	"bytes"
	"time"
)

// oha is oha's JSON: percentiles in seconds, some of them null.
var oha = format{
	name:  "oha",
	about: "oha --output-format json",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte(`"latencyPercentiles"`)) },
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		c := &claimed{in: in}
		j.object(func(key []byte) {
			isSummary := string(key) == "summary"
			if string(key) != "latencyPercentiles" && !isSummary || j.peek() != '{' {
				j.skip()
				return
			}
			j.object(func(key []byte) {
				var q float64
				ok := false
				switch {
				case isSummary && string(key) == "slowest":
					q, ok = 1, true
				case !isSummary:
					q, ok = percent(bytes.TrimPrefix(key, []byte("p")))
				}
				if !ok {
					j.skip()
					return
				}
				line := j.at()
				if text := j.number(); len(text) > 0 {
					c.take(q, text, time.Second, line)
				}
			})
		})
		if err := j.finish(); err != nil {
			return nil, err
		}
		o, err := c.observe("latency", "s", "a load test that keeps every sample")
		if err == nil {
			o.closedLoop()
		}
		return o, err
	},
}
