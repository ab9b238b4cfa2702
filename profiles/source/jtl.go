package source

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
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
type jtlColumns struct{ elapsed, label, success, code int }

func readJTL(in *input, q *Query) (*Observation, error) {
	l := newLines(in)
	line, _ := l.next()
	delimiter := delimiterOf(line)
	if delimiter == 0 {
		return nil, firstOf(l.err, in.usagef(l.n, "no header of a JTL file: %s", show(line)).Hintf("jmeter -Jjmeter.save.saveservice.print_field_names=true"))
	}
	l.delimiter = delimiter
	cells, _ := cutCells(line, delimiter, nil, allCells)
	at := jtlColumns{-1, -1, -1, -1}
	for i, c := range cells {
		switch string(c) {
		case "elapsed":
			at.elapsed = i
		case "label":
			at.label = i
		case "success":
			at.success = i
		case "responseCode":
			at.code = i
		}
	}
	if at.elapsed < 0 {
		return nil, firstOf(l.err, in.usagef(l.n, "the header has no column elapsed").Hintf("jmeter -Jjmeter.save.saveservice.print_field_names=true"))
	}
	j, err := newJTL(in, q)
	if err != nil {
		return nil, err
	}
	parts, err := split(l, func() *jtlRows {
		part, _ := newJTL(in, q)
		return &jtlRows{jtlReader: part, at: at, delimiter: delimiter, columns: len(cells)}
	})
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		j.merge(p.jtlReader)
	}
	return j.observe()
}

// jtlRows reads some blocks of the table.
type jtlRows struct {
	*jtlReader
	at        jtlColumns
	delimiter byte
	columns   int // of the header
}

func (r *jtlRows) read(l *lines) error {
	at, most := r.at, max(r.at.elapsed, r.at.label, r.at.success, r.at.code)+1
	var cells [][]byte
	for {
		line, n, ok := l.nextRow()
		if !ok {
			return l.err
		}
		if len(line) == 0 {
			continue
		}
		if cells, ok = cutCells(line, r.delimiter, cells, most); !ok || at.elapsed >= len(cells) {
			return r.in.usagef(n, "a row with %s, too few", count(len(cells), "cell", "cells"))
		}
		if has := bytes.Count(line, []byte{r.delimiter}) + 1; has < r.columns {
			return r.in.usagef(n, "a row that is cut off: it has %s, the header %d", count(has, "cell", "cells"), r.columns).
				Hintf("JMeter was stopped while it wrote: take that row out")
		}
		failed := string(cellAt(cells, at.success)) == "false"
		if err := r.take(undoubled(cellAt(cells, at.label)), cells[at.elapsed], failed, cellAt(cells, at.code), n); err != nil {
			return err
		}
	}
}

func (r *jtlRows) pass() {}

// cellAt is nil where a row, or the table, has no such cell.
func cellAt(cells [][]byte, at int) []byte {
	if at < 0 || at >= len(cells) {
		return nil
	}
	return cells[at]
}

// undoubled is a cell whose quotes were written twice, as they are inside of
// others.
func undoubled(cell []byte) []byte {
	if bytes.IndexByte(cell, '"') < 0 {
		return cell
	}
	return bytes.ReplaceAll(cell, []byte(`""`), []byte(`"`))
}

// jtlReader collects the samples of one label, of CSV or of XML.
type jtlReader struct {
	samples
	q      *Query
	labels map[string]int // the line on which each was first met
	last   string         // label
	lastAt int
	failed int
	gaveUp uint64 // of the failed
	other  int
	left   int             // failed samples that --match leaves out
	taken  map[string]bool // labels
	latest string          // of them, where there is one
}

// mostLabels is how many labels are told apart, for a hint.
const mostLabels = 1000

func newJTL(in *input, q *Query) (*jtlReader, error) {
	for _, m := range q.Match {
		if m.Label != "label" && m.Label != "success" {
			return nil, fault.Usagef("%s: --match cannot look at %s", show(in.name), show(m.Label)).Hintf("label and success are the labels of a JMeter sample")
		}
	}
	return &jtlReader{samples: samples{in: in}, q: q, labels: make(map[string]int), taken: make(map[string]bool)}, nil
}

// take files a sample; code is the answer's, or how it failed.
func (j *jtlReader) take(label, elapsed []byte, failed bool, code []byte, line int) error {
	if string(label) != j.last || len(j.labels) == 0 {
		j.last = string(label)
		if j.labels[j.last] == 0 && len(j.labels) < mostLabels {
			j.labels[j.last] = line
		}
	}
	j.lastAt = line
	if !j.wanted(failed) {
		j.other++
		if failed && j.wanted(false) {
			j.left++
		}
		return nil
	}
	if j.last != j.latest || len(j.taken) == 0 {
		j.latest = j.last
		if len(j.taken) < mostLabels {
			j.taken[j.last] = true
		}
	}
	down, up, ok := scaled(elapsed, time.Millisecond)
	if !ok {
		return j.in.usagef(line, "elapsed %s is not a whole number of milliseconds", show(elapsed))
	}
	if failed {
		// A failed sample's time says how long the failure took, which is not
		// longer than the work would have: it stays in, and is told.
		j.failed++
		if isTimeout(code) {
			j.gaveUp++
			j.giveUp(down, 1, line)
			return nil
		}
	}
	j.add(down, up+time.Millisecond, line)
	return nil
}

// isTimeout knows the codes of samples that JMeter or a gateway gave up, such
// as "Non HTTP response code: java.net.SocketTimeoutException".
func isTimeout(code []byte) bool {
	return bytes.Contains(code, []byte("Timeout")) || string(code) == "408" || string(code) == "504"
}

// merge adds what was collected from other parts of the file.
func (j *jtlReader) merge(o *jtlReader) {
	j.samples.merge(&o.samples)
	j.failed += o.failed
	j.gaveUp += o.gaveUp
	j.other += o.other
	j.left += o.left
	maps.Copy(j.taken, o.taken)
	if o.lastAt > j.lastAt {
		j.last, j.lastAt = o.last, o.lastAt
	}
	for label, line := range o.labels {
		if j.labels[label] == 0 || line < j.labels[label] {
			j.labels[label] = line
		}
	}
	if len(j.labels) > mostLabels {
		first := slices.Sorted(maps.Values(j.labels))[:mostLabels]
		maps.DeleteFunc(j.labels, func(_ string, line int) bool { return line > first[mostLabels-1] })
	}
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
	return j.q.Metric == "" && !j.q.NoName || j.last == j.q.Metric
}

// name is the label of the samples that were taken, or those of several.
func (j *jtlReader) name() string {
	const most = 3
	names := sortedKeys(j.taken)
	if len(names) > most {
		return strconv.Itoa(len(names)) + " labels"
	}
	return strings.TrimSpace(strings.Join(names, ", "))
}

func (j *jtlReader) observe() (*Observation, error) {
	if j.n == 0 && j.other > 0 {
		return nil, fault.Usagef("%s: no sample has that label", show(j.in.name)).Hintf("it has %s", list(sortedKeys(j.labels)))
	}
	if j.q.Metric == "" && !j.q.NoName && len(j.q.Match) == 0 && len(j.labels) > 1 {
		return nil, fault.Usagef("%s holds several labels", show(j.in.name)).
			Hintf("--metric with one of %s, or --match 'label=~\".*\"' for all", list(sortedKeys(j.labels)))
	}
	o, err := j.samples.observe(j.name(), "ms")
	if err != nil {
		return nil, err
	}
	o.failed(j.failed, "sample failed", "samples failed")
	o.failed(j.left, "failed sample is left out by --match", "failed samples are left out by --match")
	o.gaveUp(j.gaveUp)
	o.closedLoop()
	return o, nil
}
