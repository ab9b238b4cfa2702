package source

import (
	"bytes"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// ndjson is JSON records, one a line or in an array, with one field that is a
// duration.
var ndjson = format{
	name:  "ndjson",
	about: "JSON records, one a line or in one array; --field names the durations",
	sniff: func(head []byte) bool {
		start := bytes.TrimLeft(bytes.TrimSpace(head), "[ \t\r\n")
		return len(start) > 1 && start[0] == '{'
	},
	read: func(in *input, q *Query) (*Observation, error) {
		r := &recordReader{jsonReader: newJSON(in), samples: samples{in: in}, fields: make(map[string]bool), unit: units[q.Unit]}
		if q.Field != "" {
			r.path = strings.Split(q.Field, ".")
			unit, known, err := unitOf(q.Unit, "", q.Field)
			if err != nil {
				return nil, err
			}
			if known {
				r.unit = units[unit]
			}
		}
		return r.run(q)
	},
}

// recordReader takes one field of every record.
type recordReader struct {
	*jsonReader
	samples
	path   []string
	unit   time.Duration
	fields map[string]bool // that hold numbers, as --field spells them
	bad    error
	empty  int // records without the field
}

func (r *recordReader) run(q *Query) (*Observation, error) {
	for !r.done() && r.err == nil && r.bad == nil {
		if r.peek() == '[' {
			r.array(func(int) { r.whole() })
			continue
		}
		r.whole()
	}
	if err := firstOf(r.bad, r.err); err != nil {
		return nil, err
	}
	if len(r.path) == 0 {
		return nil, fault.Usagef("%s: which field is the duration?", show(r.samples.in.name)).Hintf("--field with one of %s", list(sortedKeys(r.fields)))
	}
	if r.n == 0 {
		return nil, fault.Usagef("%s: field %s is not there", show(r.samples.in.name), show(q.Field)).Hintf("it has %s", list(sortedKeys(r.fields)))
	}
	o, err := r.samples.observe(q.Field, unitName(r.unit))
	if err == nil {
		o.without(r.empty, "record", "records", "field "+show(q.Field))
	}
	return o, err
}

// whole takes one record, and counts it when it does not hold the field.
func (r *recordReader) whole() {
	before := r.n
	r.record(nil)
	if r.n == before {
		r.empty++
	}
}

// record walks one object down the path of keys.
func (r *recordReader) record(above []string) {
	if r.peek() != '{' {
		r.skip()
		return
	}
	r.object(func(key []byte) {
		wanted := len(above) < len(r.path) && r.path[len(above)] == string(key)
		c := r.peek()
		switch {
		case wanted && len(above)+1 == len(r.path) && c != '{' && c != '[':
			r.take()
		case c == '{' && (wanted || len(r.fields) < 100 && len(above) < 8):
			r.record(append(above[:len(above):len(above)], string(key)))
		case (c == '"' || c == '-' || c >= '0' && c <= '9') && len(r.fields) < 100:
			name := strings.Join(append(above[:len(above):len(above)], string(key)), ".")
			if _, _, _, ok := value(r.number(), time.Second); ok {
				r.fields[name] = true
			}
		default:
			r.skip()
		}
	})
}

func (r *recordReader) take() {
	line := r.at()
	if r.peek() == 't' || r.peek() == 'f' {
		r.bad = firstOf(r.bad, r.samples.in.usagef(line, "field %s is not a duration", show(strings.Join(r.path, "."))))
		r.skip()
		return
	}
	text := r.number()
	if len(text) == 0 || r.bad != nil {
		return // null is no sample
	}
	down, up, bare, ok := value(text, r.unit)
	switch {
	case bare:
		r.bad = r.samples.in.unitless(line, text)
	case !ok:
		r.bad = badDuration(r.samples.in, line, text)
	default:
		r.add(down, up, line)
	}
}
