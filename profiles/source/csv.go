package source

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// csvTable is a table with a header, of which one column is durations.
var csvTable = format{
	name:  "csv",
	about: "CSV or TSV with a header; --column names the durations",
	sniff: func(head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		first = bytes.TrimSpace(first)
		if bytes.HasPrefix(first, []byte("sep=")) {
			return true
		}
		d := delimiterOf(first)
		if d == 0 || bytes.ContainsAny(first, "{}<>=") {
			return false
		}
		cells, ok := cutCells(first, d, nil, allCells)
		return ok && len(cells) > 1 && bytes.IndexByte(head, 0) < 0 && isHeader(cells)
	},
	read: func(in *input, q *Query) (*Observation, error) { return readTable(in, q, false) },
}

// isHeader says that no cell is a number.
func isHeader(cells [][]byte) bool {
	for _, c := range cells {
		if _, ok := number(bytes.TrimSpace(c)); ok {
			return false
		}
	}
	return true
}

// readTable reads one column; rounded says that its last digit is not exact.
func readTable(in *input, q *Query, rounded bool) (*Observation, error) {
	l := newLines(in)
	line, _ := l.next()
	delimiter := byte(0)
	if rest, ok := bytes.CutPrefix(line, []byte("sep=")); ok && len(rest) == 1 {
		delimiter = rest[0] // Excel's own line
		line, _ = l.next()
	}
	if delimiter == 0 {
		delimiter = delimiterOf(line)
	}
	l.delimiter = delimiter
	cells, ok := cutCells(line, delimiter, nil, allCells)
	if l.err != nil || !ok {
		return nil, firstOf(l.err, in.usagef(l.n, "a header whose quotes do not end"))
	}
	var header []string
	for _, c := range cells {
		header = append(header, string(bytes.TrimSpace(c)))
	}
	at, err := columnOf(in, header, q)
	if err != nil {
		return nil, err
	}
	if err := in.refuseMoment("column", header[at], q); err != nil {
		return nil, err
	}
	unit := units[q.Unit]
	if own, known, err := q.unitOf("", header[at]); err != nil {
		return nil, err
	} else if known {
		unit = units[own]
	}
	newReader := func() *columnReader {
		return &columnReader{samples: samples{in: in, rounded: rounded}, at: at, name: header[at], unit: unit, delimiter: delimiter, columns: len(header)}
	}
	s := newReader()
	if delimiter == ';' { // the whole column tells how to read it
		err = firstOf(s.read(l), s.marks.judge(in))
	} else {
		var parts []*columnReader
		parts, err = split(l, newReader)
		for _, p := range parts {
			s.merge(&p.samples)
			s.empty += p.empty
		}
	}
	if err != nil {
		return nil, err
	}
	o, err := s.observe(header[at], unitName(unit))
	if err == nil {
		o.without(s.empty, "row", "rows", "column "+show(header[at]))
	}
	return o, err
}

// columnReader collects one column of some blocks of a table.
type columnReader struct {
	samples
	at        int
	name      string
	unit      time.Duration
	delimiter byte
	columns   int // of the header
	empty     int // rows without a value
	marks     decimalMarks
}

func (s *columnReader) read(l *lines) error {
	var cells [][]byte
	for {
		line, n, ok := l.nextRow()
		if !ok {
			return l.err
		}
		if len(line) == 0 {
			continue
		}
		if cells, ok = cutCells(line, s.delimiter, cells, s.at+1); !ok || s.at >= len(cells) {
			return s.in.usagef(n, "a row without column %s: it has %s", show(s.name), count(len(cells), "cell", "cells")).
				Hintf("write the table again; or, where no value is known, end the row with %q for the cells that it lacks", s.lacking(cells))
		}
		if s.at < s.columns-1 && isLastCell(line, cells[s.at]) {
			return s.in.usagef(n, "a row that ends with its cell of column %s, which may be cut off: it has %d cells, the header %d", show(s.name), len(cells), s.columns).
				Hintf("write the table again; or, where %s is the whole value, end the row with %q for the cells that it lacks", show(string(cells[s.at])), s.lacking(cells))
		}
		text := bytes.TrimSpace(cells[s.at])
		if len(text) == 0 {
			s.empty++
			continue
		}
		if s.delimiter == ';' {
			text = s.marks.pointed(text, n)
		}
		if err := s.cell(text, s.unit, s.delimiter, n); err != nil {
			return err
		}
	}
}

// lacking are the delimiters that give a row as many cells as the header.
func (s *columnReader) lacking(cells [][]byte) string {
	return strings.Repeat(string(s.delimiter), s.columns-len(cells))
}

func (s *columnReader) pass() {}

// without tells of records that hold no value where the others do.
func (o *Observation) without(n int, one, many, what string) {
	if n > 0 {
		o.add("LP202", finding.Warning, 0, count(n, one, many)+" without a value for "+what+": how long those took is not known", "look at why they have none")
	}
}

// cell takes one cell that is not empty, of a table that delimiter splits.
func (s *samples) cell(text []byte, unit time.Duration, delimiter byte, line int) error {
	down, up, bare, ok := value(text, unit)
	switch {
	case bare:
		return s.in.unitless(line, text)
	case !ok:
		return badDuration(s.in, line, text, delimiter != ',')
	}
	if !s.rounded {
		s.digits.note(text, unit)
	} else {
		ulp := lastPlace(text, unit)
		down, up = max(0, down-ulp), up+min(ulp, dist.Inf-up)
	}
	s.add(down, up, line)
	return nil
}

// isMoment says that a name such as start_ms or timestampMillis is of a point
// in time.
func isMoment(name string) bool {
	words := wordsOf(name)
	for _, w := range words {
		switch w {
		case "start", "started", "begin", "began", "end", "ended", "stop", "stopped", "finish", "finished", "at", "since",
			"created", "updated", "timestamp", "timestamps", "stamp", "ts", "epoch", "unix", "date", "datetime", "clock", "now":
			return true
		}
	}
	return len(words) == 2 && words[0] == "time" // time_ms; but response_time_ms
}

// refuseMoment is an error for durations that are named like points in time,
// which a unit alone does not turn into durations.
func (in *input) refuseMoment(kind, name string, q *Query) error {
	if _, known := suffixes[lastWord(name)]; !known || q.Unit != "" || !isMoment(name) {
		return nil
	}
	return fault.Usagef("%s: %s %s is a point in time by its name, not how long something took", show(in.name), kind, show(name)).
		Hintf("the %s that holds durations, or --unit %s where it is one after all", kind, suffixes[lastWord(name)])
}

// wordsOf is a name's words in lower case: of startTime_ms start, time and ms.
func wordsOf(name string) []string {
	var apart strings.Builder
	for i := range len(name) {
		if i > 0 && isUpper(name[i]) && !isUpper(name[i-1]) {
			apart.WriteByte(' ')
		}
		apart.WriteByte(name[i])
	}
	return strings.FieldsFunc(strings.ToLower(apart.String()), func(c rune) bool { return strings.ContainsRune("_.-/ ()[]{}", c) })
}

// columnOf is the column that holds the durations: by name, by number, or the
// only one whose name ends in a unit and is not that of a moment.
func columnOf(in *input, header []string, q *Query) (int, error) {
	var timed []int
	for i, name := range header {
		if q.Column != "" && strings.EqualFold(name, q.Column) {
			return i, nil
		}
		if _, known := suffixes[lastWord(name)]; known && !isMoment(name) {
			timed = append(timed, i)
		}
	}
	if n, err := strconv.Atoi(q.Column); err == nil && n >= 1 && n <= len(header) {
		return n - 1, nil
	}
	switch {
	case q.Column != "":
		return 0, fault.Usagef("%s: column %s is not there", show(in.name), show(q.Column)).Hintf("it has %s", list(header))
	case len(timed) == 1:
		return timed[0], nil
	}
	return 0, fault.Usagef("%s: which column is the duration?", show(in.name)).Hintf("--column with one of %s", list(header))
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
