package source

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// jaeger is the JSON of Jaeger's API: spans in whole microseconds.
var jaeger = format{
	name:  "jaeger",
	about: "Jaeger JSON; --operation is the span's name",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte(`"traceID"`)) && bytes.Contains(head, []byte(`"spans"`))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		s := newSpans(in, q)
		s.object(func(key []byte) {
			if string(key) != "data" || s.peek() != '[' {
				s.skip()
				return
			}
			s.array(func(int) {
				s.object(func(key []byte) {
					if string(key) != "spans" || s.peek() != '[' {
						s.skip()
						return
					}
					s.array(func(int) { s.jaegerSpan() })
				})
			})
		})
		return s.observe("us")
	},
}

// otlpSpans is OTLP traces as JSON, one export or one a line, also as the
// result that version 3 of Jaeger's API gives.
var otlpSpans = format{
	name:  "otlp-spans",
	about: "OTLP traces as JSON; --operation is the span's name",
	sniff: func(head []byte) bool { return bytes.Contains(head[:min(len(head), 4096)], []byte(`"resourceSpans"`)) },
	read: func(in *input, q *Query) (*Observation, error) {
		s := newSpans(in, q)
		for !s.done() && s.err == nil {
			s.nested([][]string{{"resourceSpans"}, {"scopeSpans", "instrumentationLibrarySpans"}, {"spans"}})
		}
		return s.observe("ns")
	},
}

// spans collects the durations of the spans with one name.
type spans struct {
	*jsonReader
	samples
	q      *Query
	names  map[string]bool
	failed int // spans that ended in an error
	met    spanSet
	again  int // spans that were met before
	bad    error
}

// span is one of them.
type span struct {
	name     string
	down, up time.Duration
	ok       bool // it has a duration
	failed   bool
	line     int

	trace, id string
}

func newSpans(in *input, q *Query) *spans {
	return &spans{jsonReader: newJSON(in), samples: samples{in: in}, q: q, names: make(map[string]bool)}
}

// nested walks lists inside objects down to the spans. Each step of the path
// has its name and those of older versions.
func (s *spans) nested(path [][]string) {
	s.object(func(key []byte) {
		if string(key) == "result" && s.peek() == '{' {
			s.nested(path)
			return
		}
		if !slices.Contains(path[0], string(key)) || s.peek() != '[' {
			s.skip()
			return
		}
		s.array(func(int) {
			if len(path) > 1 {
				s.nested(path[1:])
				return
			}
			s.otlpSpan()
		})
	})
}

func (s *spans) jaegerSpan() {
	var took []byte
	p := span{line: s.at()}
	s.object(func(key []byte) {
		switch {
		case string(key) == "operationName" && s.peek() == '"':
			p.name = string(s.str())
		case string(key) == "traceID":
			p.trace = s.textOrNone()
		case string(key) == "spanID":
			p.id = s.textOrNone()
		case string(key) == "duration":
			took = bytes.Clone(s.jsonReader.number())
		case string(key) == "tags" && s.peek() == '[':
			s.array(func(int) { p.failed = s.errorTag() || p.failed })
		default:
			s.skip()
		}
	})
	p.down, p.up, p.ok = printed(took, time.Microsecond)
	s.take(p)
}

// errorTag takes a tag of Jaeger's and says whether it is error=true.
func (s *spans) errorTag() bool {
	var isError, isTrue bool
	s.object(func(key []byte) {
		switch {
		case string(key) == "key" && s.peek() == '"':
			isError = string(s.str()) == "error"
		case string(key) == "value" && s.peek() == 't':
			isTrue = string(s.bare()) == "true"
		case string(key) == "value" && s.peek() == '"':
			isTrue = string(s.str()) == "true"
		default:
			s.skip()
		}
	})
	return isError && isTrue
}

func (s *spans) otlpSpan() {
	var from, to string
	p := span{line: s.at()}
	s.object(func(key []byte) {
		switch string(key) {
		case "name":
			p.name = string(s.str())
		case "traceId", "traceID", "trace_id":
			p.trace = s.textOrNone()
		case "spanId", "spanID", "span_id":
			p.id = s.textOrNone()
		case "startTimeUnixNano":
			from = string(s.jsonReader.number())
		case "endTimeUnixNano":
			to = string(s.jsonReader.number())
		case "status":
			p.failed = s.errorStatus()
		default:
			s.skip()
		}
	})
	start, err1 := strconv.ParseInt(from, 10, 64)
	end, err2 := strconv.ParseInt(to, 10, 64)
	p.down = time.Duration(end - start)
	p.up = p.down
	p.ok = err1 == nil && err2 == nil && end >= start && start >= 0
	s.take(p)
}

// textOrNone takes a text, and "" for anything else.
func (s *spans) textOrNone() string {
	if s.peek() != '"' {
		s.skip()
		return ""
	}
	return string(s.str())
}

// errorStatus takes the status of a span of OTLP, whose code is a number or,
// in older files, a name.
func (s *spans) errorStatus() (failed bool) {
	if s.peek() != '{' {
		s.skip()
		return false
	}
	s.object(func(key []byte) {
		switch {
		case string(key) == "code" && s.peek() == '"':
			failed = string(s.str()) == "STATUS_CODE_ERROR"
		case string(key) == "code":
			failed = string(s.bare()) == "2"
		default:
			s.skip()
		}
	})
	return failed
}

func (s *spans) take(p span) {
	if len(s.names) < 1000 {
		s.names[p.name] = true
	}
	if s.q.Operation != "" && p.name != s.q.Operation || s.err != nil {
		return
	}
	if !p.ok {
		s.bad = firstOf(s.bad, s.samples.in.usagef(p.line, "span %s has no duration, or a negative one", show(p.name)))
		return
	}
	if p.trace != "" && p.id != "" && !s.met.add(p.trace, p.id) {
		s.again++
		return
	}
	if p.failed {
		s.failed++
	}
	s.add(p.down, p.up, p.line)
}

func (s *spans) observe(unit string) (*Observation, error) {
	if err := firstOf(s.finish(), s.bad); err != nil {
		return nil, err
	}
	name := show(s.samples.in.name)
	switch {
	case s.q.Operation == "" && len(s.names) > 1:
		return nil, fault.Usagef("%s holds several operations", name).Hintf("--operation with one of %s", list(sortedKeys(s.names)))
	case s.n == 0 && len(s.names) > 0:
		return nil, fault.Usagef("%s: operation %s is not there", name, show(s.q.Operation)).Hintf("it has %s", list(sortedKeys(s.names)))
	}
	metric := s.q.Operation
	if metric == "" && len(s.names) == 1 {
		metric = sortedKeys(s.names)[0]
	}
	o, err := s.samples.observe(metric, unit)
	if err != nil {
		return nil, err
	}
	if s.again > 0 {
		o.add("LP207", finding.Info, o.Line, count(s.again, "span comes again", "spans come again")+", with the same trace and span: each counts once", "")
	}
	o.failed(s.failed, "span ended in an error", "spans ended in an error")
	o.add("LP202", finding.Warning, o.Line, "traces are sampled: the slowest holds may not be among them", "a histogram of every hold")
	return o, nil
}
