package source

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// label is a name and its value as written, escapes and all.
type label struct{ name, value []byte }

// sample is one line of an exposition, cut into its parts. The parts share
// the line's memory.
type sample struct {
	name   []byte
	labels []label
	rest   []byte // from the value on
	// Where the value of le stands in the line; 0 when there is no le.
	leFrom, leTo int
	restFrom     int
	decoded      bool // the values have no escapes any more
}

// cut takes a sample line apart: name{label="value",…} value …, or the quoted
// form {"name",label="value"} value. It is false when it is neither.
func (s *sample) cut(line []byte) bool {
	s.labels = s.labels[:0]
	s.name = nil
	s.leFrom, s.leTo = 0, 0
	i := 0
	for i < len(line) && line[i] != '{' && line[i] != ' ' && line[i] != '\t' {
		i++
	}
	s.name = line[:i]
	i = skipBlanks(line, i)
	if i < len(line) && line[i] == '{' {
		var ok bool
		if i, ok = s.cutLabels(line, i+1); !ok {
			return false
		}
		i = skipBlanks(line, i)
	}
	s.rest, s.restFrom = line[i:], i
	return len(s.name) > 0 && len(s.rest) > 0
}

func (s *sample) cutLabels(line []byte, i int) (int, bool) {
	for {
		i = skipBlanks(line, i)
		if i >= len(line) {
			return i, false
		}
		if line[i] == '}' {
			return i + 1, true
		}
		var name []byte
		if line[i] == '"' {
			end := closingQuote(line, i+1)
			if end < 0 {
				return i, false
			}
			name = line[i+1 : end]
			i = end + 1
		} else {
			from := i
			for i < len(line) && line[i] != '=' && line[i] != ' ' && line[i] != '}' && line[i] != ',' {
				i++
			}
			name = line[from:i]
		}
		i = skipBlanks(line, i)
		if i < len(line) && line[i] != '=' && len(s.name) == 0 {
			s.name = name // the quoted form
		} else {
			if i >= len(line) || line[i] != '=' || len(name) == 0 {
				return i, false
			}
			i = skipBlanks(line, i+1)
			if i >= len(line) || line[i] != '"' {
				return i, false
			}
			end := closingQuote(line, i+1)
			if end < 0 {
				return i, false
			}
			if string(name) == "le" {
				s.leFrom, s.leTo = i+1, end
			}
			if string(name) == "__name__" {
				s.name = line[i+1 : end]
			} else {
				s.labels = append(s.labels, label{name, line[i+1 : end]})
			}
			i = skipBlanks(line, end+1)
		}
		if i < len(line) && line[i] == ',' {
			i++
		}
	}
}

// closingQuote is where the string that begins at i ends, or -1.
func closingQuote(line []byte, i int) int {
	for i < len(line) {
		at := bytes.IndexByte(line[i:], '"')
		if at < 0 {
			return -1
		}
		i += at
		slashes := 0
		for line[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		i++
	}
	return -1
}

func skipBlanks(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return i
}

// get is the value of a label as written, nil when it is absent.
func (s *sample) get(name string) []byte {
	for _, l := range s.labels {
		if string(l.name) == name {
			return l.value
		}
	}
	return nil
}

// matches says whether the labels satisfy all conditions.
func (s *sample) matches(ms []Matcher) bool {
	for _, m := range ms {
		value := string(s.get(m.Label))
		if !s.decoded {
			value = unescape(value)
		}
		if !m.Matches(value) {
			return false
		}
	}
	return true
}

// id is the same for the same labels in any order, le and quantile aside.
func (s *sample) id() uint64 {
	var id uint64
	for _, l := range s.labels {
		switch string(l.name) {
		case "le", "vmrange", "quantile", "__name__":
			continue
		}
		id += hash(hash(0, l.name), l.value)
	}
	return id
}

// hash folds a text into a hash, eight bytes at a time. It need not withstand
// an enemy: two series that collide are taken for a duplicate, and refused.
func hash(h uint64, text []byte) uint64 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h ^= uint64(len(text)) * k0
	for ; len(text) >= 8; text = text[8:] {
		hi, lo := bits.Mul64(h^binary.LittleEndian.Uint64(text), k1)
		h = hi ^ lo
	}
	var last uint64
	for i, c := range text {
		last |= uint64(c) << (8 * i)
	}
	hi, lo := bits.Mul64(h^last^k0, k1)
	return hi ^ lo ^ k0
}
