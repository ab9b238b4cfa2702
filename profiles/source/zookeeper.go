package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// zooKeeper is the answer of ZooKeeper's mntr: the longest request in whole
// milliseconds since the start or the last srst.
var zooKeeper = format{
	name:  "zookeeper",
	about: "ZooKeeper's mntr",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("zk_max_latency\t")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
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
			o := &Observation{Metric: "zk_max_latency", Measures: RTT, Unit: "ms", Series: 1, Claims: []Claim{{1, up}}, Line: l.n}
			o.add("LP208", finding.Warning, l.n, "the time that the server took: network and client are left out", "time the call in the client")
			return o, nil
		}
		return nil, firstOf(l.err, fault.NoDataf("%s has no zk_max_latency", show(in.name)))
	},
}
