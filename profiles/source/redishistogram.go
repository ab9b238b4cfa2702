package source

import (
	"bytes"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// redisHistogram is the answer of LATENCY HISTOGRAM, as lines (RESP2) or as
// JSON: cumulative counts by microseconds that were cut to whole ones. The
// server counts a longer time than it can hold as that one.
var redisHistogram = format{
	name:  "redis-histogram",
	about: "redis-cli latency histogram, text or --json; --metric is the command",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("histogram_usec")) },
	read:  readRedisHistogram,
}

// redisLongest is, in microseconds, what the server cuts longer times down to.
const redisLongest = 1_000_000

// commandHistogram is one command's.
type commandHistogram struct {
	name   string
	line   int
	calls  uint64
	bounds []uint64
	counts []uint64
}

func readRedisHistogram(in *input, q *Query) (*Observation, error) {
	var all []commandHistogram
	var err error
	if start := bytes.TrimSpace(in.head); start[0] == '{' {
		all, err = redisJSON(in)
	} else {
		all, err = redisLines(in)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, h := range all {
		names = append(names, h.name)
		if h.name == q.Metric || q.Metric == "" && len(all) == 1 {
			return h.observe(in)
		}
	}
	if q.Metric != "" {
		return nil, fault.Usagef("%s: command %s is not there", show(in.name), show(q.Metric)).Hintf("it has %s", list(names))
	}
	if len(all) == 0 {
		return nil, fault.NoDataf("%s has no command's histogram", show(in.name))
	}
	return nil, fault.Usagef("%s holds several commands", show(in.name)).Hintf("--metric with one of %s", list(names))
}

func redisJSON(in *input) ([]commandHistogram, error) {
	j := newJSON(in)
	var all []commandHistogram
	j.object(func(key []byte) {
		h := commandHistogram{name: string(key), line: j.at()}
		if j.peek() != '{' {
			j.skip()
			return
		}
		j.object(func(key []byte) {
			switch {
			case string(key) == "calls":
				h.calls = j.whole()
			case string(key) == "histogram_usec" && j.peek() == '{':
				j.object(func(key []byte) {
					bound, ok := whole(key)
					if !ok {
						j.fail("a bound of %s", show(key))
					}
					h.bounds = append(h.bounds, bound)
					h.counts = append(h.counts, j.whole())
				})
			default:
				j.skip()
			}
		})
		all = append(all, h)
	})
	return all, j.finish()
}

// whole takes a count.
func (j *jsonReader) whole() uint64 {
	text := j.number()
	n, ok := whole(text)
	if !ok {
		j.fail("%s is not a whole count", show(text))
	}
	return n
}

// redisLines reads the flat form: name, calls, n, histogram_usec, pairs.
func redisLines(in *input) ([]commandHistogram, error) {
	l := newLines(in)
	var all []commandHistogram
	var words []string
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		word := string(bytes.TrimSpace(line))
		if n := len(words); n >= 2 && word == "histogram_usec" && words[n-2] == "calls" {
			calls, _ := whole([]byte(words[n-1]))
			name := ""
			if n >= 3 {
				name = words[n-3]
			}
			all = append(all, commandHistogram{name: name, line: l.n, calls: calls})
			words = words[:0]
			continue
		}
		words = append(words, word)
		if len(all) == 0 {
			words = words[max(0, len(words)-4):]
			continue
		}
		h := &all[len(all)-1]
		if len(words) == 2 {
			bound, ok1 := whole([]byte(words[0]))
			n, ok2 := whole([]byte(words[1]))
			if ok1 && ok2 {
				h.bounds, h.counts = append(h.bounds, bound), append(h.counts, n)
				words = words[:0]
			}
		}
		words = words[max(0, len(words)-4):]
	}
	return all, l.err
}

func (h commandHistogram) observe(in *input) (*Observation, error) {
	s := &samples{in: in, line: h.line}
	var lower time.Duration
	var before, bound uint64
	for i, n := range h.counts {
		if n < before || i > 0 && h.bounds[i] <= bound || h.bounds[i] > 1e12 || n > exactCounts {
			return nil, in.usagef(h.line, "the histogram of %s does not grow: %s at %s", show(h.name), strconv.FormatUint(n, 10), strconv.FormatUint(h.bounds[i], 10))
		}
		bound = h.bounds[i]
		upper := time.Duration(bound+1) * time.Microsecond
		if bound >= redisLongest {
			upper = dist.Inf
		}
		s.b.AddRange(lower, upper, n-before)
		lower, before = time.Duration(bound)*time.Microsecond, n
	}
	if h.calls > before {
		s.b.AddRange(0, dist.Inf, h.calls-before)
	}
	s.n = int(max(h.calls, before))
	o, err := s.observe(h.name, "us")
	if err != nil {
		return nil, err
	}
	o.Measures = RTT
	o.add("LP208", finding.Warning, h.line, "the time that the server took for the command: network, queue and client are left out", "time the call in the client")
	return o, nil
}
