package source

import (
	"bytes"
	"strings"
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
	s := &samples{in: in}
	unit := units[q.Unit]
	header := ""
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		down, up, bare, ok := value(line, unit)
		switch {
		case bare:
			return nil, in.unitless(l.n, line)
		case ok:
			s.add(down, up, l.n)
		case s.n == 0 && header == "":
			if !isHeading(line) {
				return nil, badDuration(in, l.n, line)
			}
			header = string(line)
			if own, known, err := unitOf(q.Unit, "", header); err != nil {
				return nil, err
			} else if known {
				unit = units[own]
			}
		default:
			return nil, badDuration(in, l.n, line)
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return s.observe(header, unitName(unit))
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

func badDuration(in *input, line int, text []byte) error {
	err := in.usagef(line, "%s is not a duration", show(text))
	switch {
	case bytes.IndexByte(text, ',') > 0:
		return err.Hintf("the decimal sign is a point: tr , .")
	case text[0] == '-':
		return err.Hintf("a duration cannot be below 0")
	}
	return err.Hintf("a number with its unit, such as 1.5s, or plain numbers and --unit")
}
