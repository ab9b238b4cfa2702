package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// redisInfo is INFO latencystats: percentiles that the server computed, claims.
var redisInfo = format{
	name:  "redis-info",
	about: "redis-cli info latencystats; --metric is the command",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("latency_percentiles_usec_")) },
	read: func(in *input, q *Query) (*Observation, error) {
		found := make(map[string]*claimed)
		err := in.each(func(line []byte, n int) (bool, error) {
			rest, ok := bytes.CutPrefix(line, []byte("latency_percentiles_usec_"))
			if !ok {
				return false, nil
			}
			name, figures, ok := bytes.Cut(rest, []byte(":"))
			if !ok {
				return false, in.usagef(n, "percentiles without a command: %s", show(line))
			}
			c := found[string(name)]
			if c == nil {
				c = &claimed{in: in}
				found[string(name)] = c
			}
			for _, figure := range bytes.Split(figures, []byte(",")) {
				p, text, _ := bytes.Cut(figure, []byte("="))
				q, isNumber := percent(bytes.TrimPrefix(p, []byte("p")))
				if !isNumber {
					return false, in.usagef(n, "a percentile that cannot be read: %s", show(figure))
				}
				c.take(q, text, time.Microsecond, n)
			}
			return true, c.bad
		})
		if err != nil {
			return nil, err
		}
		name := q.Metric
		if names := sortedKeys(found); name == "" && len(names) == 1 {
			name = names[0]
		}
		if c := found[name]; c != nil {
			o, err := c.observe(name, "us", "redis-cli latency histogram")
			if err == nil {
				o.Measures = RTT
				o.serverOnly(c.line)
			}
			return o, err
		}
		return nil, fault.Usagef("%s holds percentiles of several commands", show(in.name)).Hintf("--metric with one of %s", list(sortedKeys(found)))
	},
}

// serverOnly is LP208 for what a server measured of itself.
func (o *Observation) serverOnly(line int) {
	o.add("LP208", finding.Warning, line, "the time that the server took for the command: network, queue and client are left out", "time the call in the client")
}
