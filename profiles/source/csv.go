package source

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
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
	unit := units[q.Unit]
	if own, known, err := unitOf(q.Unit, "", header[at]); err != nil {
		return nil, err
	} else if known {
		unit = units[own]
	}
	s := &samples{in: in, rounded: rounded}
	for {
		line, ok := l.nextRow()
		if !ok {
			break
		}
		if len(line) == 0 {
			continue
		}
		if cells, ok = cutCells(line, delimiter, cells, at+1); !ok || at >= len(cells) {
			return nil, in.usagef(l.n, "a row without column %s: it has %s", show(header[at]), count(len(cells), "cell", "cells"))
		}
		if err := s.cell(cells[at], unit, delimiter, l.n); err != nil {
			return nil, err
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return s.observe(header[at], unitName(unit))
}

// cell takes one cell; an empty one is no sample.
func (s *samples) cell(text []byte, unit time.Duration, delimiter byte, line int) error {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil
	}
	if delimiter == ';' && bytes.IndexByte(text, ',') > 0 {
		text = bytes.Replace(text, []byte(","), []byte("."), 1) // the locale that writes ; has decimal commas
	}
	down, up, bare, ok := value(text, unit)
	switch {
	case bare:
		return s.in.unitless(line, text)
	case !ok:
		return badDuration(s.in, line, text)
	}
	if s.rounded {
		ulp := lastPlace(text, unit)
		down, up = max(0, down-ulp), up+min(ulp, dist.Inf-up)
	}
	s.add(down, up, line)
	return nil
}

// columnOf is the column that holds the durations: by name, by number, or the
// only one whose name ends in a unit.
func columnOf(in *input, header []string, q *Query) (int, error) {
	var timed []int
	for i, name := range header {
		if q.Column != "" && strings.EqualFold(name, q.Column) {
			return i, nil
		}
		if _, known := suffixes[lastWord(name)]; known {
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
