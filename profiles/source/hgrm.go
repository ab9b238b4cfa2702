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

// hgrm is HdrHistogram's percentile table, as wrk2, YCSB and cassandra-stress
// print it. Several tables add up, but for those that wrk2 prints
// beside the corrected one under the word Uncorrected.
var hgrm = format{
	name:  "hgrm",
	about: "HdrHistogram percentile table (.hgrm), also wrk2 --latency",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("1/(1-Percentile)"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		t := &hgrmTable{samples: samples{in: in}, unit: units[q.Unit]}
		var err error
		for err == nil {
			line, ok := l.next()
			if !ok {
				break
			}
			err = t.take(line, l.n)
		}
		if err := firstOf(l.err, err, t.end(l.n)); err != nil {
			return nil, err
		}
		if t.n == 0 {
			return nil, fault.NoDataf("%s has no rows", show(in.name))
		}
		o, err := t.observe("", unitName(t.unit))
		if err == nil {
			o.closedLoop()
		}
		return o, err
	},
}

type hgrmTable struct {
	samples
	unit       time.Duration
	skip       bool // what follows is not corrected
	inside     bool // between the heading of a table and its footer
	lower      time.Duration
	upper      time.Duration
	counted    uint64
	percentile string // of the last row, "" before the first
}

func (t *hgrmTable) take(line []byte, n int) error {
	switch {
	case bytes.Contains(line, []byte("Uncorrected")):
		t.skip, t.inside = true, false
	case bytes.Contains(line, []byte("Recorded Latency")):
		t.skip = false
	case bytes.HasPrefix(line, []byte("Running ")) && bytes.Contains(line, []byte("test @")):
		t.skip = false
		t.unit = cmp.Or(t.unit, time.Millisecond) // wrk2
	case t.skip:
	case bytes.Contains(line, []byte("1/(1-Percentile)")):
		if err := t.end(n - 1); err != nil {
			return err
		}
		t.inside = true
		if bytes.Contains(line, []byte("Value(ms)")) {
			t.unit = cmp.Or(t.unit, time.Millisecond)
		}
	case bytes.HasPrefix(line, []byte("#[")):
		t.inside = false
		return t.footer(line, n)
	case t.inside && len(bytes.TrimSpace(line)) > 0:
		return t.row(line, n)
	}
	return nil
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
	t.n = int(min(uint64(t.n)+total-t.counted, math.MaxInt32))
	if t.line == 0 {
		t.line = n
	}
	t.lower, t.upper, t.counted = down, up, total
	return nil
}

// footer holds "#[Max = 1.0, Total count = 10000]" against the rows: where
// either says more, rows are missing.
func (t *hgrmTable) footer(line []byte, n int) error {
	rest, ok := bytes.CutPrefix(line, []byte("#[Max"))
	most, total, ok2 := bytes.Cut(rest, []byte(","))
	if !ok || !ok2 || t.percentile == "" {
		return nil
	}
	_, most, _ = bytes.Cut(most, []byte("="))
	if longest, _, ok := printed(bytes.TrimSpace(most), t.unit); ok && longest > t.upper {
		return t.in.usagef(n, "the longest is %s, but the table ends before it: rows are missing", show(bytes.TrimSpace(most)))
	}
	_, total, _ = bytes.Cut(total, []byte("="))
	total = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(total), []byte("]")))
	if sum, ok := whole(total); ok && sum != t.counted {
		return t.in.usagef(n, "the table holds %d of %d samples: rows are missing", t.counted, sum)
	}
	return nil
}

// end closes a table at the next, or at the end of the input.
func (t *hgrmTable) end(n int) error {
	if last, ok := number([]byte(t.percentile)); t.percentile != "" && (!ok || last != 1) {
		return t.in.usagef(n, "the table is cut off: it ends at percentile %s", show(t.percentile))
	}
	t.lower, t.upper, t.counted, t.percentile, t.inside = 0, 0, 0, "", false
	return nil
}
