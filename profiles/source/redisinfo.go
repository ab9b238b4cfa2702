package source

import (
	"bytes"
	"cmp"
	"slices"
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
		l := newLines(in)
		found := make(map[string]*Observation)
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			rest, ok := bytes.CutPrefix(line, []byte("latency_percentiles_usec_"))
			if !ok {
				continue
			}
			name, figures, ok := bytes.Cut(rest, []byte(":"))
			if !ok {
				return nil, in.usagef(l.n, "percentiles without a command: %s", show(line))
			}
			o := &Observation{Metric: string(name), Measures: RTT, Unit: "us", Series: 1, Line: l.n}
			for _, figure := range bytes.Split(figures, []byte(",")) {
				p, text, _ := bytes.Cut(figure, []byte("="))
				_, up, ok := printed(text, time.Microsecond)
				q, isNumber := percent(bytes.TrimPrefix(p, []byte("p")))
				if !ok || !isNumber {
					return nil, in.usagef(l.n, "a percentile that cannot be read: %s", show(figure))
				}
				o.Claims = append(o.Claims, Claim{q, up})
			}
			slices.SortFunc(o.Claims, func(a, b Claim) int { return cmp.Compare(a.Q, b.Q) })
			o.add("LP208", finding.Warning, l.n, "the time that the server took for the command: network, queue and client are left out", "time the call in the client")
			found[o.Metric] = o
		}
		if l.err != nil {
			return nil, l.err
		}
		if o := found[q.Metric]; o != nil {
			return o, nil
		}
		if q.Metric == "" && len(found) == 1 {
			for _, o := range found {
				return o, nil
			}
		}
		return nil, fault.Usagef("%s holds percentiles of several commands", show(in.name)).Hintf("--metric with one of %s", list(sortedKeys(found)))
	},
}
