package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// ghz is ghz's JSON: a latency in nanoseconds for each call, also for the ones
// that failed.
var ghz = format{
	name:  "ghz",
	about: "ghz --format=json",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte(`"latencyDistribution"`)) && bytes.Contains(head, []byte(`"count"`))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		s := &samples{in: in}
		c := &claimed{in: in}
		failed := 0
		var bad error
		j.object(func(key []byte) {
			switch {
			case string(key) == "slowest" && j.peek() != 'n':
				line := j.at()
				c.take(1, j.number(), time.Nanosecond, line)
			case string(key) == "latencyDistribution" && j.peek() == '[':
				j.array(func(int) {
					var p, latency []byte
					line := j.at()
					j.object(func(key []byte) {
						switch string(key) {
						case "percentage":
							p = bytes.Clone(j.number())
						case "latency":
							latency = bytes.Clone(j.number())
						default:
							j.skip()
						}
					})
					if q, ok := percent(p); ok {
						c.take(q, latency, time.Nanosecond, line)
					}
				})
			case string(key) == "details" && j.peek() == '[':
				j.array(func(int) {
					line := j.at()
					var latency []byte
					j.object(func(key []byte) {
						switch {
						case string(key) == "latency":
							latency = bytes.Clone(j.number())
						case string(key) == "error" && j.peek() == '"':
							if len(j.str()) > 0 {
								failed++
							}
						default:
							j.skip()
						}
					})
					down, up, ok := scaled(latency, time.Nanosecond)
					if !ok {
						bad = firstOf(bad, in.usagef(line, "a call without its latency"))
						return
					}
					s.add(down, up, line)
				})
			default:
				j.skip()
			}
		})
		if err := firstOf(bad, j.finish()); err != nil {
			return nil, err
		}
		if s.n == 0 {
			return c.observe("latency", "ns", "ghz with its details")
		}
		o, err := s.observe("latency", "ns")
		if err != nil {
			return nil, err
		}
		if failed > 0 {
			o.add("LP202", finding.Warning, 0, count(failed, "call failed", "calls failed")+": how long the work would have taken is not known", "look at why they failed, and measure again")
		}
		o.closedLoop()
		return o, nil
	},
}
