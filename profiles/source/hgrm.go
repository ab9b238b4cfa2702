package source

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
)

// hgrm is HdrHistogram's percentile table, as wrk2, YCSB, cassandra-stress
// and vegeta print it. wrk2 prints a corrected table and an uncorrected one,
// in this order: only the first counts.
var hgrm = format{
	name:  "hgrm",
	about: "HdrHistogram percentile table (.hgrm), also wrk2 --latency",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("1/(1-Percentile)"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		t := &hgrmTable{samples: samples{in: in}, unit: units[q.Unit]}
		table := false
		for !t.ended {
			line, ok := l.next()
			if !ok {
				break
			}
			switch {
			case bytes.Contains(line, []byte("1/(1-Percentile)")):
				table = true
				if bytes.Contains(line, []byte("Value(ms)")) {
					t.unit = cmp.Or(t.unit, time.Millisecond)
				}
			case bytes.HasPrefix(line, []byte("Running ")) && bytes.Contains(line, []byte("test @")):
				t.unit = cmp.Or(t.unit, time.Millisecond) // wrk2
			case bytes.HasPrefix(line, []byte("#[")):
				t.ended = table
			case table && len(bytes.TrimSpace(line)) > 0:
				if err := t.row(line, l.n); err != nil {
					return nil, err
				}
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		switch {
		case t.n == 0:
			return nil, fault.NoDataf("%s has no rows", show(in.name))
		case !t.ended && t.percentile != "1.0" && t.percentile != "1.000000" && t.percentile != "1.000000000000":
			return nil, in.usagef(l.n, "the table is cut off: it ends at percentile %s", show(t.percentile))
		}
		o, err := t.samples.observe("", unitName(t.unit))
		if err == nil {
			o.closedLoop()
		}
		return o, err
	},
}

type hgrmTable struct {
	samples
	unit       time.Duration
	lower      time.Duration
	counted    uint64
	percentile string
	ended      bool
}

// row takes value, percentile, cumulative count and 1/(1-percentile).
func (t *hgrmTable) row(line []byte, n int) error {
	cells := bytes.Fields(line)
	if len(cells) < 3 {
		return t.in.usagef(n, "a row that cannot be read: %s", show(line))
	}
	if t.unit == 0 {
		return t.in.usagef(n, "the table does not say its unit").Hintf("--unit ms, or what the values are in")
	}
	down, up, ok := printed(cells[0], t.unit)
	total, err := strconv.ParseUint(string(cells[2]), 10, 53)
	if !ok || err != nil || total < t.counted || up < t.lower || up == dist.Inf {
		return t.in.usagef(n, "a row that cannot be read, or falls: %s", show(line))
	}
	t.percentile = string(cells[1])
	t.b.AddRange(min(t.lower, up), up, total-t.counted)
	t.n = int(min(total, math.MaxInt32))
	if t.line == 0 {
		t.line = n
	}
	t.lower, t.counted = down, total
	return nil
}
