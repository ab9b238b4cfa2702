package source

import (
	"bytes"
	"math"
	"time"
)

// vegeta is vegeta encode: a record for each request, in nanoseconds.
var vegeta = format{
	name:  "vegeta",
	about: "vegeta encode (JSON)",
	sniff: func(head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.HasPrefix(first, []byte(`{"attack":`)) && bytes.Contains(first, []byte(`"latency":`))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		s := &samples{in: in}
		failed := 0
		var late uint64
		var bad error
		for !j.done() && j.err == nil && bad == nil {
			line := j.at()
			var latency []byte
			gaveUp := false
			j.object(func(key []byte) {
				switch {
				case string(key) == "latency":
					latency = bytes.Clone(j.number())
				case string(key) == "error" && j.peek() == '"':
					text := j.str()
					if len(text) > 0 {
						failed++
					}
					gaveUp = saysTimeout(text)
				default:
					j.skip()
				}
			})
			down, up, ok := scaled(latency, time.Nanosecond)
			if !ok {
				bad = in.usagef(line, "a result without its latency")
			}
			if gaveUp {
				late++
				s.giveUp(down, 1, line)
				continue
			}
			s.add(down, up, line)
		}
		if err := firstOf(j.err, bad); err != nil {
			return nil, err
		}
		o, err := s.observe("latency", "ns")
		if err == nil {
			o.failed(failed, "request failed", "requests failed")
			o.gaveUp(late)
		}
		return o, err
	},
}

// vegetaReport is vegeta report -type=json: percentiles by a digest without a
// bound on its error; only the extremes are exact.
var vegetaReport = format{
	name:  "vegeta-report",
	about: "vegeta report -type=json",
	sniff: func(head []byte) bool {
		start := head[:min(len(head), 512)]
		return bytes.Contains(start, []byte(`"latencies"`)) && bytes.Contains(start, []byte(`"99th"`))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		c := &claimed{in: in}
		quantiles := map[string]float64{"50th": 0.5, "90th": 0.9, "95th": 0.95, "99th": 0.99, "max": 1}
		var requests, success float64
		known := false // how many failed
		var unanswered uint64
		j.object(func(key []byte) {
			switch {
			case string(key) == "requests":
				requests, _ = number(j.number())
				return
			case string(key) == "success":
				success, known = number(j.number())
				return
			case string(key) == "status_codes" && j.peek() == '{':
				j.object(func(key []byte) {
					if n := j.whole(); string(key) == "0" {
						unanswered = n
					}
				})
				return
			case string(key) != "latencies" || j.peek() != '{':
				j.skip()
				return
			}
			j.object(func(key []byte) {
				q, ok := quantiles[string(key)]
				if !ok {
					j.skip()
					return
				}
				line := j.at()
				c.take(q, j.number(), time.Nanosecond, line)
			})
		})
		if err := j.finish(); err != nil {
			return nil, err
		}
		if failed := (1 - success) * requests; known && failed > 0 && failed < exactCounts {
			c.failed = max(1, int(math.Round(failed)))
		}
		if all := uint64(requests); requests > 0 && requests < exactCounts {
			c.among(all-min(all, unanswered), all, true) // it counts those with the time until they failed
		}
		return c.observe("latency", "ns", "vegeta encode | lockplan observe -")
	},
}
