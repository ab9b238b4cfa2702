package source

import (
	"bytes"
	"strings"
	"time"
)

// durations is a list with one duration a line, as SELECT, jq or grep leave it.
var durations = format{
	name:  "durations",
	about: "one duration a line: 1.5s, 250ms, PT1.5S, 00:00:01.5, or numbers with --unit",
	sniff: func(head []byte) bool {
		header := false
		for line := range bytes.Lines(head) {
			line = bytes.TrimSpace(line)
			if len(line) == 0 || line[0] == '#' {
				continue
			}
			if _, _, _, ok := value(line, 0); !ok {
				// A header may stand above the list.
				if header || bytes.ContainsAny(line, ",;\t{<[=") {
					return false
				}
				header = true
				continue
			}
			return true
		}
		return false
	},
	read: readDurations,
}

func readDurations(in *input, q *Query) (*Observation, error) {
	l := newLines(in)
	s := durationReader{samples: samples{in: in}, unit: units[q.Unit]}
	header := ""
	for s.n == 0 {
		line, ok := l.next()
		if !ok {
			break
		}
		line = bytes.TrimSpace(line)
		if header == "" && len(line) > 0 && line[0] != '#' && isHeading(line) {
			header = string(line)
			if err := in.refuseMoment("list", header, q); err != nil {
				return nil, err
			}
			if own, known, err := q.unitOf("", header); err != nil {
				return nil, err
			} else if known {
				s.unit = units[own]
			}
			continue
		}
		if err := s.line(line, l.n); err != nil {
			return nil, err
		}
	}
	others, err := split(l, func() *durationReader { return &durationReader{samples: samples{in: in}, unit: s.unit} })
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		s.merge(&o.samples)
	}
	return s.observe(header, unitName(s.unit))
}

// durationReader collects the values of some blocks of the list.
type durationReader struct {
	samples
	unit time.Duration
}

func (s *durationReader) read(l *lines) error {
	for {
		line, ok := l.next()
		if !ok {
			return l.err
		}
		if err := s.line(bytes.TrimSpace(line), l.n); err != nil {
			return err
		}
	}
}

func (s *durationReader) pass() {}

func (s *durationReader) line(line []byte, n int) error {
	if len(line) == 0 || line[0] == '#' {
		return nil
	}
	down, up, bare, ok := value(line, s.unit)
	switch {
	case bare:
		return s.in.unitless(n, line)
	case !ok:
		return badDuration(s.in, n, line, true)
	}
	s.digits.note(line, s.unit)
	s.add(down, up, n)
	return nil
}

// isHeading tells the name of a column from a first value that is no duration:
// passed over, -15s or a timeout would be lost without a word.
func isHeading(line []byte) bool {
	if bytes.ContainsAny(line, "0123456789") || bytes.ContainsAny(line[:1], "+-.") || bytes.HasPrefix(line, []byte("\u2212")) {
		return false
	}
	switch strings.ToLower(string(line)) {
	case "inf", "infinity", "nan", "timeout", "timed out", "null", "nil", "none", "n/a", "error", "failed":
		return false
	}
	return true
}

// badDuration is the error of a text that is no duration; alone says that
// commas mean nothing else in the input.
func badDuration(in *input, line int, text []byte, alone bool) error {
	err := in.usagef(line, "%s is not a duration", show(text))
	switch {
	case bytes.IndexByte(text, ',') > 0:
		return commas(in, line, text, alone)
	case text[0] == '-':
		return err.Hintf("a duration cannot be below 0")
	}
	return err.Hintf("a number with its unit, such as 1.5s, or plain numbers and --unit")
}
