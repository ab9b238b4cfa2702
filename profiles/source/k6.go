package source

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// k6Points is k6 run --out json: every value of every metric.
var k6Points = format{
	name:  "k6-json",
	about: "k6 run --out json; --metric is the trend",
	sniff: func(head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && (bytes.Contains(first, []byte(`"type":"Metric"`)) || bytes.Contains(first, []byte(`"type":"Point"`)))
	},
	read: readK6Points,
}

func readK6Points(in *input, q *Query) (*Observation, error) {
	j := newJSON(in)
	s := &samples{in: in}
	trends := make(map[string]bool)
	said := "" // what the trend holds
	var bad error
	for !j.done() && j.err == nil && bad == nil {
		var kind, metric, of, contains string
		var text []byte
		j.object(func(key []byte) {
			switch string(key) {
			case "type":
				kind = string(j.str())
			case "metric":
				metric = string(j.str())
			case "data":
				j.object(func(key []byte) {
					switch {
					case string(key) == "type" && j.peek() == '"':
						of = string(j.str())
					case string(key) == "contains" && j.peek() == '"':
						contains = string(j.str())
					case string(key) == "value" && j.peek() != '{':
						text = append(text[:0], j.number()...)
					default:
						j.skip()
					}
				})
			default:
				j.skip()
			}
		})
		if kind == "Metric" && of == "trend" && contains != "data" && len(trends) < 1000 {
			trends[metric] = true
		}
		if kind == "Metric" && metric == q.Metric {
			said = contains
		}
		if kind != "Point" || metric != q.Metric || q.Metric == "" {
			continue
		}
		down, up, ok := scaled(text, k6Unit(q, q.Metric, said))
		if !ok {
			bad = in.usagef(j.at(), "the value %s is not a duration", show(text))
		}
		s.add(down, up, j.at())
	}
	if err := firstOf(bad, j.err); err != nil {
		return nil, err
	}
	if s.n == 0 {
		return nil, noTrend(in, q, sortedKeys(trends))
	}
	if err := k6Time(in, q, said, s.line); err != nil {
		return nil, err
	}
	o, err := s.observe(q.Metric, unitName(k6Unit(q, q.Metric, said)))
	if err == nil {
		o.k6Assumed(q, said)
		o.closedLoop()
	}
	return o, err
}

// k6Time refuses a trend that is no time by its own word: k6 then does not
// know its unit, and a trend of seconds would be read 1000 times too short.
func k6Time(in *input, q *Query, contains string, line int) error {
	switch {
	case contains == "data":
		return in.usagef(line, "metric %s counts bytes: not a duration", show(q.Metric))
	case contains != "" && contains != "time" && q.Unit == "":
		return in.usagef(line, "trend %s does not say its unit: it contains %s, not time", show(q.Metric), show(contains)).
			Hintf("--unit s, ms, us or ns, or new Trend(%q, true) in the script", "name")
	}
	return nil
}

// k6Own is a trend that k6 makes itself.
func k6Own(metric string) bool {
	return strings.HasPrefix(metric, "http_req_") || strings.HasPrefix(metric, "grpc_req_") || metric == "iteration_duration" || metric == "group_duration"
}

// k6Unit is that of a trend's values: milliseconds, where it is a time by its
// own word.
func k6Unit(q *Query, metric, contains string) time.Duration {
	own := ""
	if contains == "time" || k6Own(metric) {
		own = "ms"
	}
	return cmp.Or(units[q.unitBeside(own)], time.Millisecond)
}

// k6Assumed is LP208 where nothing says that a trend is a time. Those that k6
// makes itself are.
func (o *Observation) k6Assumed(q *Query, contains string) {
	if contains == "" && q.Unit == "" && !k6Own(o.Metric) {
		o.add("LP208", finding.Warning, o.Line, "the input does not say that "+show(o.Metric)+" is a time: milliseconds are assumed", "--unit ms")
	}
}

// k6CSV is k6 run --out csv.
var k6CSV = format{
	name:  "k6-csv",
	about: "k6 run --out csv; --metric is the trend",
	sniff: func(head []byte) bool { return bytes.HasPrefix(head, []byte("metric_name,timestamp,metric_value")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		s := &samples{in: in}
		unit := k6Unit(q, q.Metric, "")
		names := make(map[string]bool)
		l.next()
		var cells [][]byte
		for {
			line, n, ok := l.nextRow()
			if !ok {
				break
			}
			if cells, ok = cutCells(line, ',', cells, 3); !ok || len(cells) < 3 {
				if len(line) == 0 {
					continue
				}
				return nil, in.usagef(n, "a row with %s, too few", count(len(cells), "cell", "cells"))
			}
			if string(cells[0]) != q.Metric {
				if len(names) < 1000 {
					names[string(cells[0])] = true
				}
				continue
			}
			down, up, ok := printed(cells[2], unit)
			if !ok {
				return nil, in.usagef(n, "the value %s is not a duration", show(cells[2]))
			}
			s.add(down, up, n)
		}
		if l.err != nil {
			return nil, l.err
		}
		if s.n == 0 {
			return nil, noTrend(in, q, sortedKeys(names))
		}
		o, err := s.observe(q.Metric, unitName(unit))
		if err == nil {
			o.k6Assumed(q, "") // a CSV never says
			o.closedLoop()
		}
		return o, err
	},
}

// k6Summary is a summary of k6 in any of its three layouts: --summary-export,
// handleSummary, --new-machine-readable-summary.
var k6Summary = format{
	name:  "k6-summary",
	about: "k6's summary as JSON, in any of its three layouts; --metric is the trend",
	sniff: func(head []byte) bool {
		start := bytes.TrimSpace(head)
		return bytes.HasPrefix(start, []byte("{")) && (bytes.Contains(head, []byte(`"metrics"`)) || bytes.Contains(head, []byte(`"root_group"`))) &&
			(bytes.Contains(head, []byte(`"med"`)) || bytes.Contains(head, []byte(`"p(95)"`)) || bytes.Contains(head, []byte(`"p95"`)))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		r := &k6Reader{jsonReader: newJSON(in), trends: make(map[string]*k6Trend)}
		r.object(r.top)
		if err := r.finish(); err != nil {
			return nil, err
		}
		t := r.trends[q.Metric]
		if t == nil {
			return nil, noTrend(in, q, sortedKeys(r.trends))
		}
		return t.observe(in, q)
	},
}

func noTrend(in *input, q *Query, names []string) error {
	if q.Metric == "" {
		return fault.Usagef("%s holds the metrics of a load test", show(in.name)).Hintf("--metric with one of %s", list(names))
	}
	return fault.Usagef("%s: trend %s is not there", show(in.name), show(q.Metric)).Hintf("it has %s", list(names))
}

// k6Trend is the summary of one metric.
type k6Trend struct {
	name     string
	line     int
	contains string
	n        uint64
	counted  bool
	points   []k6Percentile // without min and max
	least    []byte
	most     []byte
}

type k6Percentile struct {
	q    *big.Rat
	text []byte
}

type k6Reader struct {
	*jsonReader
	trends map[string]*k6Trend
}

func (r *k6Reader) top(key []byte) {
	switch {
	case string(key) == "results" && r.peek() == '{':
		r.object(r.top)
	case string(key) == "metrics" && r.peek() == '{':
		r.object(func(key []byte) {
			t := &k6Trend{name: string(key), line: r.at()}
			r.trend(t)
		})
	case string(key) == "metrics" && r.peek() == '[':
		r.array(func(int) { r.trend(&k6Trend{line: r.at()}) })
	default:
		r.skip()
	}
}

// trend takes one metric's object: figures, perhaps under "values".
func (r *k6Reader) trend(t *k6Trend) {
	if r.peek() != '{' {
		r.skip()
		return
	}
	r.object(func(key []byte) {
		switch name := string(key); {
		case name == "values" && r.peek() == '{':
			r.trend(t)
		case name == "contains" && r.peek() == '"':
			t.contains = string(r.str())
		case name == "name" && r.peek() == '"':
			t.name = string(r.str())
		case r.peek() == '"' || r.peek() == '{' || r.peek() == '[' || r.peek() == 't' || r.peek() == 'f':
			r.skip()
		default:
			t.figure(name, bytes.Clone(r.number()))
		}
	})
	if t.most != nil && t.name != "" {
		r.trends[t.name] = t
	}
}

func (t *k6Trend) figure(name string, text []byte) {
	switch name {
	case "count":
		t.n, t.counted = whole(text)
	case "min":
		t.least = text
	case "max":
		t.most = text
	case "med":
		t.points = append(t.points, k6Percentile{big.NewRat(1, 2), text})
	default:
		digits := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimPrefix([]byte(name), []byte("p")), []byte("(")), []byte(")"))
		if name[:min(1, len(name))] != "p" || len(digits) == 0 || len(digits) > 9 {
			return
		}
		if _, _, ok := scaled(digits, 1); !ok || bytes.ContainsAny(digits, "eE") {
			return
		}
		if q, ok := new(big.Rat).SetString(string(digits)); ok && q.Cmp(big.NewRat(100, 1)) <= 0 {
			t.points = append(t.points, k6Percentile{q.Quo(q, big.NewRat(100, 1)), text})
		}
	}
}

// observe turns the figures into bounds. k6 interpolates between the ranks
// around (n-1)*q, so a printed percentile is above the lower of the two only:
// 42.71 is printed as P99.9 of 200 samples whose largest is 43.17.
func (t *k6Trend) observe(in *input, q *Query) (*Observation, error) {
	if err := k6Time(in, q, t.contains, t.line); err != nil {
		return nil, err
	}
	unit := k6Unit(q, t.name, t.contains)
	least, _, ok1 := scaled(t.least, unit)
	_, most, ok2 := scaled(t.most, unit)
	if !ok1 || !ok2 {
		return nil, in.usagef(t.line, "metric %s has no minimum and maximum that are durations", show(t.name))
	}
	o := &Observation{Metric: t.name, Unit: unitName(unit), Series: 1, Line: t.line}
	o.k6Assumed(q, t.contains)
	slices.SortStableFunc(t.points, func(a, b k6Percentile) int { return a.q.Cmp(b.q) })
	if !t.counted {
		for _, p := range t.points {
			if _, up, ok := scaled(p.text, unit); ok {
				f, _ := p.q.Float64()
				o.Claims = append(o.Claims, Claim{f, up})
			}
		}
		o.Claims = append(o.Claims, Claim{1, most})
		o.add("LP205", finding.Warning, t.line, "percentiles that k6 interpolated between two samples, of an unknown number", "summaryTrendStats: ['count', 'p(99.9)', 'max'], or --out json")
		o.closedLoop()
		return o, nil
	}
	var b dist.Builder
	lower, below := least, uint64(0)
	for _, p := range t.points {
		down, up, ok := scaled(p.text, unit)
		if !ok || up < lower || up > most {
			return nil, in.usagef(t.line, "the percentiles of %s do not grow", show(t.name))
		}
		rank := rankBelow(p.q, t.n)
		if rank > below && rank < t.n {
			b.AddRange(lower, up, rank-below)
			lower, below = down, rank
		}
	}
	if t.n == 0 {
		return nil, fault.NoDataf("%s: %s has no samples", show(in.name), show(t.name))
	}
	b.AddRange(min(lower, most), most, t.n-below)
	o.Dist = b.Dist()
	o.closedLoop()
	return o, nil
}

// rankBelow is floor((n-1)*q) + 1: the sample at that rank is not above the
// interpolated percentile.
func rankBelow(q *big.Rat, n uint64) uint64 {
	if n == 0 || n > math.MaxInt64 {
		return 0
	}
	at := new(big.Rat).Mul(q, new(big.Rat).SetInt64(int64(n-1)))
	return new(big.Int).Quo(at.Num(), at.Denom()).Uint64() + 1
}
