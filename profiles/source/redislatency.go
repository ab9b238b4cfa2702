package source

import (
	"bytes"
	"strconv"
	"time"
)

// redisLatency is redis-cli --latency or --latency-history. It prints whole
// milliseconds that are differences of two clocks cut to milliseconds: the
// true time is below the next.
var redisLatency = format{
	name:  "redis-latency",
	about: "redis-cli --latency or --latency-history",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, ok := redisRecord(line); ok {
				return true
			}
			if len(bytes.TrimSpace(line)) > 0 && line[0] != '$' {
				return false
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		s := &samples{in: in}
		err := in.each(func(line []byte, n int) (bool, error) {
			r, ok := redisRecord(line)
			if !ok {
				return false, nil
			}
			cut := func(ms uint64) [2]time.Duration {
				d := time.Duration(ms) * time.Millisecond
				return [2]time.Duration{d, d + time.Millisecond}
			}
			return true, s.spread(r.n, cut(r.least), cut(r.most), n)
		})
		if err != nil {
			return nil, err
		}
		o, err := s.observe("PING", "ms")
		if err != nil {
			return nil, err
		}
		o.Measures = RTT
		return o, nil
	},
}

type redisStats struct{ least, most, n uint64 }

// redisRecord reads the last of the running totals of a line: "0 1 0.14 99",
// "0,1,0.14,99" or "min: 0, max: 1, avg: 0.14 (99 samples)".
func redisRecord(line []byte) (r redisStats, ok bool) {
	if at := bytes.LastIndex(line, []byte("min: ")); at >= 0 {
		line = line[at:]
	} else {
		line = line[bytes.LastIndexByte(bytes.TrimRight(line, "\r\n"), '\r')+1:]
	}
	words := bytes.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == ',' || c == '(' || c == ')' || c == '\r' || c == '\n' })
	if len(words) > 6 && string(words[0]) == "min:" && string(words[2]) == "max:" && string(words[4]) == "avg:" {
		words = [][]byte{words[1], words[3], words[5], words[6]}
	}
	if len(words) != 4 {
		return r, false
	}
	var ok1, ok2, ok3 bool
	r.least, ok1 = whole(words[0])
	r.most, ok2 = whole(words[1])
	r.n, ok3 = whole(words[3])
	_, err := strconv.ParseFloat(string(words[2]), 64)
	return r, ok1 && ok2 && ok3 && err == nil && bytes.IndexByte(words[2], '.') > 0 && r.most < 1e9
}
