package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// zooKeeper is the answer of ZooKeeper's mntr: the longest request in whole
// milliseconds since the start or the last srst. Of several answers the largest
// counts.
var zooKeeper = format{
	name:  "zookeeper",
	about: "ZooKeeper's mntr",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("zk_max_latency\t")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		o := &Observation{Metric: "zk_max_latency", Measures: RTT, Unit: "ms"}
		var longest time.Duration
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			text, ok := bytes.CutPrefix(line, []byte("zk_max_latency\t"))
			if !ok {
				continue
			}
			_, up, ok := printed(bytes.TrimSpace(text), time.Millisecond)
			if !ok {
				return nil, in.usagef(l.n, "zk_max_latency is %s", show(text))
			}
			if o.Series++; up >= longest {
				longest, o.Line = up, l.n
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		if o.Series == 0 {
			return nil, fault.NoDataf("%s has no zk_max_latency", show(in.name))
		}
		o.Claims = []Claim{{1, longest}}
		o.add("LP208", finding.Warning, o.Line, "the time that the server took: network and client are left out", "time the call in the client")
		return o, nil
	},
}
