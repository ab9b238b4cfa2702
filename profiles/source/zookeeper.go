package source

import (
	"bytes"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// zooKeeper is what a ZooKeeper server says of its requests: the longest one
// since the start or the last srst. It measures whole milliseconds, also where
// it writes 1347.0. Of several answers the largest counts.
var zooKeeper = format{
	name:  "zookeeper",
	about: "ZooKeeper's mntr, stat or srvr, its AdminServer's monitor, or its page for Prometheus",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("zk_max_latency\t")) || bytes.Contains(head, []byte("Latency min/avg/max: ")) ||
			isZooKeeperPage(head) || isMonitor(head)
	},
	read: func(in *input, q *Query) (*Observation, error) {
		if isZooKeeperPage(in.head) && (q.Metric != "" && q.Metric != "max_latency" || len(q.Match) > 0 || q.Measures == Pause) {
			return readZooKeeperMetric(in, q)
		}
		if q.used == nil && (q.Metric != "" || len(q.Match) > 0) {
			return nil, fault.Usagef("%s: of ZooKeeper's own answers only the longest latency is read", show(in.name)).
				Hintf("leave --metric and --match out, or give its page for Prometheus")
		}
		z := zooKeeperAnswers{o: &Observation{Metric: "max_latency", Measures: RTT, Unit: "ms"}, in: in}
		if isMonitor(in.head) {
			z.json()
		} else if err := in.each(z.line); err != nil {
			return nil, err
		}
		if z.bad != nil {
			return nil, z.bad
		}
		if z.o.Series == 0 {
			return nil, fault.NoDataf("%s has no longest latency", show(in.name)).Hintf("echo mntr | nc HOST 2181")
		}
		z.o.Claims = []Claim{{1, z.longest}}
		z.o.add("LP208", finding.Warning, z.o.Line, "the time that the server took: network and client are left out", "time the call in the client")
		return z.o, nil
	},
}

// readZooKeeperMetric reads another metric of the page. Those that end in
// latency are whole milliseconds, although the page does not say so.
func readZooKeeperMetric(in *input, q *Query) (*Observation, error) {
	isLatency := strings.HasSuffix(q.Metric, "latency")
	if isLatency {
		q.Unit = q.unitBeside("ms")
	}
	o, err := promText.read(in, q)
	if err != nil || !isLatency {
		return o, err
	}
	for i := range o.Claims {
		o.Claims[i].Value += min(time.Millisecond, 1<<63-1-o.Claims[i].Value)
	}
	return o, nil
}

// isZooKeeperPage knows the page of ZooKeeper's Prometheus provider, which has
// no prefix of its own.
func isZooKeeperPage(head []byte) bool {
	return bytes.Contains(head, []byte("\nmax_latency ")) && bytes.Contains(head, []byte("\noutstanding_requests "))
}

// isMonitor knows the answer of the AdminServer's /commands/monitor.
func isMonitor(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"max_latency"`)) && bytes.Contains(head, []byte(`"outstanding_requests"`))
}

// zooKeeperAnswers collects the longest latency of each answer.
type zooKeeperAnswers struct {
	in      *input
	o       *Observation
	longest time.Duration
	bad     error
}

// line reads mntr ("zk_max_latency\t12"), stat and srvr ("Latency
// min/avg/max: 0/0.7/12") or the page ("max_latency 12.0").
func (z *zooKeeperAnswers) line(line []byte, n int) (bool, error) {
	for _, name := range []string{"zk_max_latency\t", "max_latency ", "Latency min/avg/max: "} {
		text, ok := bytes.CutPrefix(line, []byte(name))
		if ok {
			z.take(text[bytes.LastIndexByte(text, '/')+1:], n)
			return true, nil
		}
	}
	return false, nil
}

func (z *zooKeeperAnswers) json() {
	j := newJSON(z.in)
	for !j.done() && j.err == nil {
		j.object(func(key []byte) {
			if string(key) != "max_latency" {
				j.skip()
				return
			}
			line := j.at()
			z.take(j.number(), line)
		})
	}
	z.bad = firstOf(j.err, z.bad)
}

func (z *zooKeeperAnswers) take(text []byte, line int) {
	_, up, ok := scaled(bytes.TrimSpace(text), time.Millisecond)
	if !ok {
		z.bad = firstOf(z.bad, z.in.usagef(line, "the longest latency is %s", show(text)))
		return
	}
	up += min(time.Millisecond, 1<<63-1-up)
	if z.o.Series++; up >= z.longest {
		z.longest, z.o.Line = up, line
	}
}
