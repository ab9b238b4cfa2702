package source

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// jtl is JMeter's result file as CSV. Elapsed times are whole milliseconds,
// cut off: the true one is below the next.
var jtl = format{
	name:  "jtl",
	about: "JMeter results as CSV (JTL); --metric is the label of the sampler",
	sniff: func(head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.Contains(first, []byte("timeStamp")) && bytes.Contains(first, []byte("elapsed")) && delimiterOf(first) != 0
	},
	read: readJTL,
}

// jtlColumns are where the columns that matter stand; -1 is absent.
type jtlColumns struct{ elapsed, label, success int }

func readJTL(in *input, q *Query) (*Observation, error) {
	l := newLines(in)
	line, _ := l.next()
	delimiter := delimiterOf(line)
	if delimiter == 0 {
		return nil, firstOf(l.err, in.usagef(l.n, "no header of a JTL file: %s", show(line)).Hintf("jmeter -Jjmeter.save.saveservice.print_field_names=true"))
	}
	l.delimiter = delimiter
	cells, _ := cutCells(line, delimiter, nil, allCells)
	at := jtlColumns{-1, -1, -1}
	for i, c := range cells {
		switch string(c) {
		case "elapsed":
			at.elapsed = i
		case "label":
			at.label = i
		case "success":
			at.success = i
		}
	}
	if at.elapsed < 0 {
		return nil, firstOf(l.err, in.usagef(l.n, "the header has no column elapsed").Hintf("jmeter -Jjmeter.save.saveservice.print_field_names=true"))
	}
	last := max(at.elapsed, at.label, at.success) + 1
	j, err := newJTL(in, q)
	if err != nil {
		return nil, err
	}
	for {
		line, ok := l.nextRow()
		if !ok {
			break
		}
		if len(line) == 0 {
			continue
		}
		if cells, ok = cutCells(line, delimiter, cells, last); !ok || at.elapsed >= len(cells) {
			return nil, in.usagef(l.n, "a row with %s, too few", count(len(cells), "cell", "cells"))
		}
		var label []byte
		if at.label >= 0 && at.label < len(cells) {
			label = cells[at.label]
		}
		failed := at.success >= 0 && at.success < len(cells) && string(cells[at.success]) == "false"
		if err := j.take(label, cells[at.elapsed], failed, l.n); err != nil {
			return nil, err
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return j.observe()
}

// jtlReader collects the samples of one label, of CSV or of XML.
type jtlReader struct {
	samples
	q      *Query
	labels map[string]bool
	last   string // label
	failed int
	other  int
}

func newJTL(in *input, q *Query) (*jtlReader, error) {
	for _, m := range q.Match {
		if m.Label != "label" && m.Label != "success" {
			return nil, fault.Usagef("%s: --match cannot look at %s", show(in.name), show(m.Label)).Hintf("label and success are the labels of a JMeter sample")
		}
	}
	return &jtlReader{samples: samples{in: in}, q: q, labels: make(map[string]bool)}, nil
}

func (j *jtlReader) take(label, elapsed []byte, failed bool, line int) error {
	if string(label) != j.last || len(j.labels) == 0 {
		j.last = string(label)
		if len(j.labels) < 1000 {
			j.labels[j.last] = true
		}
	}
	if !j.wanted(failed) {
		j.other++
		return nil
	}
	down, up, ok := scaled(elapsed, time.Millisecond)
	if !ok {
		return j.in.usagef(line, "elapsed %s is not a whole number of milliseconds", show(elapsed))
	}
	if failed {
		// A failed sample's time says how long the failure took, which is not
		// longer than the work would have: it stays in, and is told.
		j.failed++
	}
	j.add(down, up+time.Millisecond, line)
	return nil
}

// wanted applies --metric to the label, and --match to label and success.
func (j *jtlReader) wanted(failed bool) bool {
	for _, m := range j.q.Match {
		switch m.Label {
		case "label":
			if !m.Matches(j.last) {
				return false
			}
		case "success":
			if !m.Matches(strconv.FormatBool(!failed)) {
				return false
			}
		}
	}
	return j.q.Metric == "" || j.last == j.q.Metric
}

func (j *jtlReader) observe() (*Observation, error) {
	if j.n == 0 && j.other > 0 {
		return nil, fault.Usagef("%s: no sample has that label", show(j.in.name)).Hintf("it has %s", list(sortedKeys(j.labels)))
	}
	if j.q.Metric == "" && len(j.q.Match) == 0 && len(j.labels) > 1 {
		return nil, fault.Usagef("%s holds several labels", show(j.in.name)).
			Hintf("--metric with one of %s, or --match 'label=~\".*\"' for all", list(sortedKeys(j.labels)))
	}
	o, err := j.samples.observe(strings.TrimSpace(j.last), "ms")
	if err != nil {
		return nil, err
	}
	if j.q.Metric != "" {
		o.Metric = j.q.Metric
	}
	if j.failed > 0 {
		o.add("LP202", finding.Warning, 0, count(j.failed, "sample failed", "samples failed")+": how long the work would have taken is not known", "look at why they failed, and measure again")
	}
	o.closedLoop()
	return o, nil
}
