package source

import (
	"bytes"
	"slices"
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
	read: readRecords,
}

func readRecords(in *input, q *Query) (*Observation, error) {
	all := &records{samples: samples{in: in}, unit: units[q.Unit]}
	if q.Field != "" {
		all.path = strings.Split(q.Field, ".")
		if err := in.refuseMoment("field", all.path[len(all.path)-1], q); err != nil {
			return nil, err
		}
		unit, known, err := q.unitOf("", q.Field)
		if err != nil {
			return nil, err
		}
		if known {
			all.unit = units[unit]
		}
	}
	if err := all.read(); err != nil {
		return nil, err
	}
	slices.Sort(all.fields)
	if len(all.path) == 0 {
		return nil, fault.Usagef("%s: which field is the duration?", show(in.name)).Hintf("--field with one of %s", list(all.fields))
	}
	if all.n == 0 {
		return nil, fault.Usagef("%s: field %s is not there", show(in.name), show(q.Field)).Hintf("it has %s", list(all.fields))
	}
	o, err := all.samples.observe(q.Field, unitName(all.unit))
	if err == nil {
		o.without(all.empty, "record", "records", "field "+show(q.Field))
	}
	return o, err
}

// mostFields is how many fields are told apart, for a hint.
const mostFields = 100

// recordReader takes one field of every record.
type recordReader struct {
	*jsonReader
	path   []string
	unit   time.Duration
	add    func(down, up time.Duration, line int)
	digits *lastDigit
	n      int // values so far
	fields []string
	empty  int
	bad    error
}

func (r *recordReader) all() error {
	for !r.done() && r.err == nil && r.bad == nil {
		if r.peek() == '[' {
			r.array(func(int) { r.one() })
			continue
		}
		r.one()
	}
	return firstOf(r.bad, r.err)
}

// one takes one record, and counts it when it does not hold the field.
func (r *recordReader) one() {
	before := r.n
	r.record(nil)
	if r.n == before {
		r.empty++
	}
}

// record walks one object down the path of keys. Until the field is found it
// collects what else there is.
func (r *recordReader) record(above []string) {
	if r.peek() != '{' {
		r.skip()
		return
	}
	r.object(func(key []byte) {
		wanted := len(above) < len(r.path) && r.path[len(above)] == string(key)
		look := r.n == 0 && len(r.fields) < mostFields
		c := r.peek()
		switch {
		case wanted && len(above)+1 == len(r.path) && c != '{' && c != '[':
			r.take()
		case c == '{' && (wanted || look && len(above) < 8):
			r.record(append(above[:len(above):len(above)], string(key)))
		case look && (c == '"' || c == '-' || c >= '0' && c <= '9'):
			name := strings.Join(append(above[:len(above):len(above)], string(key)), ".")
			if _, _, _, ok := value(r.number(), time.Second); ok && !slices.Contains(r.fields, name) {
				r.fields = append(r.fields, name)
			}
		default:
			r.skip()
		}
	})
}

func (r *recordReader) take() {
	line := r.at()
	if r.peek() == 't' || r.peek() == 'f' {
		r.bad = firstOf(r.bad, r.in.usagef(line, "field %s is not a duration", show(strings.Join(r.path, "."))))
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
		r.bad = r.in.unitless(line, text)
	case !ok:
		r.bad = badDuration(r.in, line, text, false)
	default:
		r.n++
		r.digits.note(text, r.unit)
		r.add(down, up, line)
	}
}
