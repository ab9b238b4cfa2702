package source

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// otlp is OTLP metrics as JSON, one export or one a line, as the collector's
// file exporter writes them.
var otlp = format{
	name:  "otlp",
	about: "OTLP metrics as JSON: explicit and exponential histograms",
	sniff: func(head []byte) bool {
		return bytes.Contains(head[:min(len(head), 4096)], []byte(`"resourceMetrics"`))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		r := &otlpReader{jsonReader: newJSON(in), q: q, metrics: make(map[string]*otlpMetric)}
		return r.run()
	},
}

type otlpReader struct {
	*jsonReader
	q            *Query
	metrics      map[string]*otlpMetric
	order        []*otlpMetric
	labels       []label // of the resource, then of the scope
	export, part int     // which export, and which resource of it, is being read
	skipped      map[string]bool
}

// otlpMetric is one histogram; its points are kept only as far as its
// temporality needs.
type otlpMetric struct {
	name, unit string
	line       int
	delta      *dist.Builder // delta points add up
	// Of cumulative points of one series that share a start, the last holds all.
	last     map[string]*otlpPoint
	order    []string
	series   map[uint64]bool
	from, to time.Time
	bad      error
	milli    bool // OpenTelemetry's default bounds, all in the first bucket
	clash    int  // line of the first point whose extremes contradict its buckets
	counters bool

	sum, count float64 // of the points that were added
	noSum      bool    // of one of them at least
}

// otlpPoint is a data point of either kind.
type otlpPoint struct {
	start, at      string
	count          float64
	counts, bounds []float64
	scale          int64
	offset         int64
	positive       []float64
	negative       bool
	zero, zeroAt   float64
	least, most    []byte // exact, where given
	sum            float64
	hasSum         bool
	id             uint64
	line           int
	matches        bool
	export, part   int
}

func (r *otlpReader) run() (*Observation, error) {
	for ; !r.done() && r.err == nil; r.export++ {
		r.object(func(key []byte) {
			if string(key) != "resourceMetrics" || r.peek() != '[' {
				r.skip()
				return
			}
			r.array(func(int) { r.resource() })
		})
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.choose()
}

// resource takes one element; its scopes may hold metrics under the old name
// too.
func (r *otlpReader) resource() {
	r.labels = nil
	r.part++
	read := false
	r.object(func(key []byte) {
		switch string(key) {
		case "resource":
			r.object(func(key []byte) {
				if string(key) == "attributes" && r.peek() == '[' {
					r.labels = r.attributes()
					return
				}
				r.skip()
			})
			if read && len(r.labels) > 0 {
				r.fail("a resource that stands behind its metrics")
			}
		case "scopeMetrics", "instrumentationLibraryMetrics":
			read = true
			resource := r.labels
			r.array(func(int) {
				r.labels = resource
				r.scope()
			})
			r.labels = resource
		default:
			r.skip()
		}
	})
}

// scope takes the metrics of one instrumentation scope. Its name belongs to
// the identity of each series, under the label that Prometheus gives it.
func (r *otlpReader) scope() {
	read := false
	r.object(func(key []byte) {
		switch name := string(key); {
		case name == "metrics" && r.peek() == '[':
			read = true
			r.array(func(int) { r.metric() })
		case (name == "scope" || name == "instrumentationLibrary") && r.peek() == '{':
			scope := r.scopeLabels()
			if read && len(scope) > 0 {
				r.fail("a scope that stands behind its metrics")
			}
			r.labels = append(slices.Clip(r.labels), scope...)
		default:
			r.skip()
		}
	})
}

func (r *otlpReader) scopeLabels() (ls []label) {
	r.object(func(key []byte) {
		switch name := string(key); {
		case (name == "name" || name == "version") && r.peek() == '"':
			if value := bytes.Clone(r.str()); len(value) > 0 {
				ls = append(ls, label{[]byte("otel_scope_" + name), value})
			}
		case name == "attributes" && r.peek() == '[':
			for _, l := range r.attributes() {
				ls = append(ls, label{append([]byte("otel_scope_"), l.name...), l.value})
			}
		default:
			r.skip()
		}
	})
	return ls
}

// attributes takes [{"key":…,"value":{"stringValue":…}}, …].
func (r *otlpReader) attributes() (ls []label) {
	r.array(func(int) {
		var l label
		r.object(func(key []byte) {
			switch string(key) {
			case "key":
				l.name = bytes.Clone(r.str())
			case "value":
				r.object(func([]byte) {
					switch c := r.peek(); {
					case c == '"':
						l.value = bytes.Clone(r.str())
					case c == '{' || c == '[':
						r.skip()
					default:
						l.value = bytes.Clone(r.bare())
					}
				})
			default:
				r.skip()
			}
		})
		ls = append(ls, l)
	})
	return ls
}

func (r *otlpReader) metric() {
	var name, unit, temporality string
	var points []*otlpPoint
	explicit, isHistogram := false, false
	line := r.at()
	r.object(func(key []byte) {
		switch string(key) {
		case "name":
			name = string(r.str())
		case "unit":
			unit = string(r.str())
		case "histogram", "exponentialHistogram":
			isHistogram, explicit = true, string(key) == "histogram"
			r.object(func(key []byte) {
				switch string(key) {
				case "aggregationTemporality":
					if r.peek() == '"' {
						temporality = string(r.str())
					} else {
						temporality = string(r.bare())
					}
				case "dataPoints":
					r.array(func(int) {
						points = append(points, r.point())
						if len(points) > 1<<20 {
							r.fail("more than %d points of one metric", 1<<20)
						}
					})
				default:
					r.skip()
				}
			})
		default:
			r.skip()
		}
	})
	if !isHistogram || r.err != nil || r.q.Metric != "" && r.q.Metric != name {
		if isHistogram {
			r.pass(name)
		}
		return
	}
	m := r.metrics[name]
	if m == nil {
		m = &otlpMetric{name: name, unit: unit, line: line, delta: new(dist.Builder), last: make(map[string]*otlpPoint), series: make(map[uint64]bool)}
		r.metrics[name] = m
		r.order = append(r.order, m)
	}
	if m.unit != unit && m.bad == nil {
		m.bad = r.in.usagef(line, "metric %s comes in %s and in %s", show(name), show(m.unit), show(unit))
	}
	m.take(r, points, temporality, explicit, line)
}

func (r *otlpReader) pass(name string) {
	if r.skipped == nil {
		r.skipped = make(map[string]bool)
	}
	if len(r.skipped) < 1000 {
		r.skipped[name] = true
	}
}

func (r *otlpReader) point() *otlpPoint {
	p := &otlpPoint{line: r.at(), export: r.export, part: r.part}
	s := sample{decoded: true, labels: slices.Clone(r.labels)}
	list := func() (fs []float64) {
		r.array(func(int) {
			f, ok := number(r.number())
			if !ok {
				r.fail("a number was expected in the list")
			}
			fs = append(fs, f)
			if len(fs) > 1<<16 {
				r.fail("more than %d buckets", 1<<16)
			}
		})
		return fs
	}
	value := func() float64 {
		f, ok := number(r.number())
		if !ok {
			r.fail("a number was expected")
		}
		return f
	}
	r.object(func(key []byte) {
		switch string(key) {
		case "startTimeUnixNano":
			// 0 is how proto3 says that it is not known.
			p.start = strings.TrimLeft(string(r.number()), "0")
		case "timeUnixNano":
			p.at = string(r.number())
		case "count":
			p.count = value()
		case "sum":
			p.sum, p.hasSum = number(r.number()) // null says nothing
		case "bucketCounts":
			p.counts = list()
		case "explicitBounds":
			p.bounds = list()
		case "min":
			p.least = bytes.Clone(r.number())
		case "max":
			p.most = bytes.Clone(r.number())
		case "scale":
			p.scale = int64(value())
		case "zeroCount":
			p.zero = value()
		case "zeroThreshold":
			p.zeroAt = value()
		case "positive":
			r.object(func(key []byte) {
				switch string(key) {
				case "offset":
					p.offset = int64(value())
				case "bucketCounts":
					p.positive = list()
				default:
					r.skip()
				}
			})
		case "negative":
			r.object(func(key []byte) {
				if string(key) != "bucketCounts" {
					r.skip()
					return
				}
				for _, n := range list() {
					p.negative = p.negative || n > 0
				}
			})
		case "attributes":
			s.labels = append(s.labels, r.attributes()...)
		default:
			r.skip()
		}
	})
	p.id, p.matches = s.id(), s.matches(r.q.Match)
	return p
}

// take adds the points of one export.
func (m *otlpMetric) take(r *otlpReader, points []*otlpPoint, temporality string, explicit bool, line int) {
	unit := units[m.spelled(r.q)]
	for _, p := range points {
		if !p.matches {
			continue
		}
		m.series[p.id] = true
		m.reach(p)
		switch temporality {
		case "1", "AGGREGATION_TEMPORALITY_DELTA":
			m.add(r.in, p, unit, explicit)
			m.milli = m.milli || explicit && p.firstMilli()
		case "2", "AGGREGATION_TEMPORALITY_CUMULATIVE":
			m.counters = true
			m.keep(r.in, p, unit)
			m.milli = m.milli || explicit && p.firstMilli()
		default:
			m.note(r.in.usagef(line, "metric %s has no temporality: its points may be growth or totals", show(m.name)))
		}
	}
	if len(m.order) > 1<<18 {
		m.note(r.in.usagef(line, "more than %d series of %s", 1<<18, show(m.name)))
	}
}

func (m *otlpMetric) note(err error) { m.bad = firstOf(m.bad, err) }

// spelled is the unit of the values; "" where nothing says.
func (m *otlpMetric) spelled(q *Query) string {
	return q.unitBeside(suffixes[m.unit])
}

func (m *otlpMetric) reach(p *otlpPoint) {
	for _, text := range []string{p.start, p.at} {
		ns, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ns <= 0 {
			continue
		}
		at := time.Unix(0, ns)
		if m.from.IsZero() || at.Before(m.from) {
			m.from = at
		}
		if at.After(m.to) {
			m.to = at
		}
	}
}

// firstMilli says that all samples are in the first bucket of bounds that
// were made for milliseconds.
func (p *otlpPoint) firstMilli() bool {
	return slices.Equal(p.bounds, milliBounds[:len(milliBounds)-1]) && len(p.counts) == len(milliBounds) && p.count > 0 && p.counts[0] == 0 && p.counts[1] == p.count
}

// histogram is the point's buckets.
func (p *otlpPoint) histogram(in *input, explicit bool) (*native, error) {
	h := &native{count: p.count}
	switch {
	case p.negative:
		return nil, in.usagef(p.line, "negative durations")
	case explicit && len(p.counts) > 0 && len(p.counts) != len(p.bounds)+1:
		return nil, in.usagef(p.line, "%d buckets for %d bounds", len(p.counts), len(p.bounds))
	case explicit:
		left := "0"
		for i, n := range p.counts {
			right := "+Inf"
			if i < len(p.bounds) {
				right = boundText(p.bounds[i])
				if i > 0 && !(p.bounds[i] > p.bounds[i-1]) {
					return nil, in.usagef(p.line, "bounds that do not grow")
				}
				if p.bounds[i] <= 0 {
					if p.bounds[i] < 0 && n > 0 {
						return nil, in.usagef(p.line, "negative durations")
					}
					right = boundText(math.SmallestNonzeroFloat64)
				}
			}
			h.buckets = append(h.buckets, nativeBucket{left: left, right: right, count: n})
			left = right
		}
	default:
		if p.scale < -10 || p.scale > 20 || p.offset < -1<<24 || p.offset > 1<<24 {
			return nil, in.usagef(p.line, "an impossible scale or offset")
		}
		if p.zero > 0 {
			h.buckets = append(h.buckets, nativeBucket{left: "0", right: boundText(math.Max(p.zeroAt, math.SmallestNonzeroFloat64)), count: p.zero})
		}
		for i, n := range p.positive {
			if n > 0 {
				// OTLP's bucket i is (base^i, base^(i+1)]: one off against Prometheus'.
				at := p.offset + int64(i)
				h.buckets = append(h.buckets, nativeBucket{left: boundText(edge(p.scale, at)), right: boundText(edge(p.scale, at+1)), count: n})
			}
		}
	}
	if wrong := h.parse(); wrong != "" {
		return nil, in.usagef(p.line, "a histogram %s", wrong)
	}
	return h, nil
}

func (r *otlpReader) choose() (*Observation, error) {
	var names []string
	for _, m := range r.order {
		names = append(names, m.name)
	}
	switch {
	case len(names) == 0 && r.q.Metric != "":
		return nil, fault.Usagef("%s: metric %s is not there", show(r.in.name), show(r.q.Metric)).Hintf("it has %s", list(sortedKeys(r.skipped)))
	case len(names) == 0:
		return nil, fault.NoDataf("%s has no histogram", show(r.in.name))
	case len(names) > 1:
		return nil, fault.Usagef("%s holds several histograms: %s", show(r.in.name), list(names)).Hintf("--metric NAME")
	}
	m := r.order[0]
	unit := m.spelled(r.q)
	if unit == "" {
		return nil, r.in.usagef(m.line, "metric %s is in %s: not a duration that is known", show(m.name), show(m.unit)).Hintf("--unit s, ms, us or ns")
	}
	for _, key := range m.order {
		p := m.last[key]
		m.add(r.in, p, units[unit], len(p.counts) > 0)
	}
	if m.bad != nil {
		return nil, m.bad
	}
	o := &Observation{Metric: m.name, Unit: unit, Series: len(m.series), Dist: m.delta.Dist(), Line: m.line}
	if len(m.series) == 0 {
		return nil, fault.Usagef("%s: no series of %s satisfies --match", show(r.in.name), show(m.name))
	}
	if o.Dist.Count() == 0 {
		return nil, fault.NoDataf("%s: %s has no samples", show(r.in.name), show(m.name))
	}
	o.confirmed = r.q.Unit == suffixes[m.unit] || m.milli && unit == "ms"
	if window := m.to.Sub(m.from); window > 0 {
		o.Window = &window
	}
	if mean := meanOf(m.sum, m.count, units[unit]); mean > 0 && !m.noSum {
		o.judgeMean(mean, m.line)
	}
	if m.clash > 0 {
		o.add("LP206", finding.Warning, m.clash, "a smallest or largest value that lies outside the filled buckets: the two contradict each other", "the value is not used; look at what wrote it")
	}
	if m.milli && unit == "s" && r.q.Unit == "" {
		o.suspect(finding.Error, m.line, 5*time.Second, "every sample is in the bucket up to 5s of bounds that were made for milliseconds: 5s? 5ms?")
	}
	o.judgeLength(finding.Warning, m.line)
	if m.counters && !r.q.SinceStart {
		o.Findings = append(o.Findings, rule.NoWindow(rule.Place{File: r.in.name, Line: m.line}, fmt.Sprintf("%s (cumulative)", show(m.name))))
	}
	return o, nil
}
