package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/lockplan/lockplan/calc/fault"
)

// promJSON is the answer of the Prometheus query API, whole or cut by jq to
// its data or its result: vectors and matrices of classic buckets, native
// histograms and quantiles.
var promJSON = format{
	name:     "prometheus-json",
	counters: true,
	about:    "JSON of the Prometheus query API: query and query_range, promtool query -o json",
	sniff: func(head []byte) bool {
		start := bytes.TrimSpace(head[:min(len(head), 4096)])
		if !bytes.HasPrefix(start, []byte("{")) && !bytes.HasPrefix(start, []byte("[")) {
			return false
		}
		has := func(key string) bool { return bytes.Contains(start, []byte(`"`+key+`"`)) }
		return has("resultType") || has("status") && (has("errorType") || has("data")) || start[0] == '[' && has("metric") && (has("value") || has("values") || has("histogram") || has("histograms"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		a := &apiReader{jsonReader: newJSON(in), families: newFamilies(in, q)}
		a.tracks.families = a.families
		defer a.tracks.packed.close()
		return a.run()
	},
}

// apiReader reads one answer of the query API.
type apiReader struct {
	*jsonReader
	families *families
	tracks   tracks

	at       sample
	names    []byte // memory of the labels of at
	spans    []int
	plain    int // results that are no bucket, no quantile, no histogram
	results  int
	warnings []string
	failed   string
	kind     string
}

func (a *apiReader) run() (*Observation, error) {
	if a.peek() == '[' {
		a.result()
	} else {
		a.object(a.envelope)
	}
	if err := a.finish(); err != nil {
		return nil, err
	}
	if a.failed != "" {
		return nil, fault.Usagef("%s is an error of the server: %s", show(a.in.name), show(a.failed))
	}
	if a.kind == "scalar" || a.kind == "string" {
		return nil, fault.Usagef("%s is one %s, not a histogram", show(a.in.name), a.kind).Hintf("%s", askBuckets)
	}
	o, err := a.observe()
	switch q := a.families.q; {
	case q.warned != nil:
		*q.warned = append(*q.warned, a.warnings...)
	case err != nil && fault.ClassOf(err) == fault.NoData:
		return nil, fault.NoDataf("%w%s", err, said(a.warnings)).Hintf("%s", fault.HintOf(err))
	case err == nil:
		o.warn(a.warnings)
	}
	return o, err
}

// errComputed is the answer of a server to a question for one form of
// histogram, where it has another or none.
var errComputed = errors.New("computed values, neither buckets nor quantiles")

func (a *apiReader) observe() (*Observation, error) {
	if a.results == 0 {
		return nil, fault.NoDataf("%s: the query found nothing", show(a.in.name)).Hintf("look at the metric's name, its labels and the time range")
	}
	if err := a.tracks.resolve(); err != nil {
		return nil, err
	}
	if a.plain == a.results {
		return nil, fault.Usagef("%s holds %w", show(a.in.name), errComputed).Hintf("%s", askBuckets)
	}
	o, err := a.families.observe()
	if err != nil {
		return nil, err
	}
	a.tracks.tellGaps(o)
	return o, nil
}

const askBuckets = "ask for the buckets: sum by (le) (increase(NAME_bucket[7d])), or NAME_bucket over a range"

func (a *apiReader) envelope(key []byte) {
	switch string(key) {
	case "status":
		if a.peek() == '"' {
			a.failed = ""
			if text := string(a.str()); text != "success" {
				a.failed = text
			}
			return
		}
		a.skip()
	case "error":
		if a.peek() == '"' {
			a.failed = string(a.str())
			return
		}
		a.skip()
	case "data":
		if a.peek() == '{' {
			a.object(a.envelope)
			return
		}
		a.skip()
	case "resultType":
		if a.peek() == '"' {
			a.kind = string(a.str())
			return
		}
		a.skip()
	case "result":
		if a.kind == "scalar" || a.kind == "string" || a.peek() != '[' {
			a.skip()
			return
		}
		a.result()
	case "warnings", "infos":
		if a.peek() != '[' {
			a.skip()
			return
		}
		a.array(func(int) {
			if a.peek() == '"' && len(a.warnings) < mostWarnings {
				a.warnings = append(a.warnings, string(a.str()))
				return
			}
			a.skip()
		})
	case "isPartial": // VictoriaMetrics, where a part of the cluster did not answer
		if a.peek() != 't' {
			a.skip()
			return
		}
		if word := a.bare(); string(word) != "true" {
			a.malformed("%s in the JSON is no value", show(word))
		}
		a.warnings = append(a.warnings, "the answer is partial: a part of the cluster did not answer")
	default:
		a.skip()
	}
}

// result takes the list of samples or series.
func (a *apiReader) result() {
	a.array(func(int) {
		a.results++
		a.at.labels, a.at.name = a.at.labels[:0], nil
		line := a.jsonReader.at()
		a.object(func(key []byte) {
			switch string(key) {
			case "metric":
				a.labels()
			case "value":
				a.value(line)
			case "values":
				a.values(line)
			case "histogram":
				a.histogram(line)
			case "histograms":
				a.histograms(line)
			default:
				a.skip()
			}
		})
	})
}

// labels takes the labels of a result, already without escapes.
func (a *apiReader) labels() {
	s := &a.at
	a.names, a.spans = a.names[:0], a.spans[:0]
	a.object(func(key []byte) {
		a.names = append(a.names, key...)
		a.spans = append(a.spans, len(a.names))
		if a.peek() != '"' {
			a.fail("a label that is no string")
			return
		}
		a.names = append(a.names, a.str()...)
		a.spans = append(a.spans, len(a.names))
	})
	from := 0
	s.decoded = true
	s.leFrom = 0
	for i := 0; i+1 < len(a.spans); i += 2 {
		l := label{a.names[from:a.spans[i]], a.names[a.spans[i]:a.spans[i+1]]}
		from = a.spans[i+1]
		switch string(l.name) {
		case "__name__":
			s.name = l.value
			continue
		case "le":
			s.leFrom = 1
		}
		s.labels = append(s.labels, l)
	}
}

// family is that of the current result, nil when it is not asked for. A
// result without a name was aggregated by the server.
func (a *apiReader) family(suffix string) *family {
	s := &a.at
	name := bytes.TrimSuffix(s.name, []byte(suffix))
	aggregated := len(name) == 0
	if aggregated {
		name = []byte(a.families.metric)
	}
	if !a.families.wanted(name) {
		a.families.pass(name)
		return nil
	}
	if len(a.families.q.Match) > 0 && !s.matches(a.families.q.Match) {
		if f := a.families.of(name); f != nil {
			f.aggregated = aggregated
		}
		a.families.unmatched(s)
		return nil
	}
	f := a.families.of(name)
	if f != nil {
		f.aggregated = aggregated
	}
	return f
}

// value takes [time, "count"].
func (a *apiReader) value(line int) {
	var value float64
	ok := false
	a.array(func(i int) {
		text := a.number()
		if i == 1 {
			value, ok = number(text)
		}
	})
	if !ok {
		a.fail("a value that is no number")
		return
	}
	s := &a.at
	q := s.get("quantile")
	switch {
	case s.leFrom > 0:
		if f := a.family("_bucket"); f != nil {
			if series := f.start(s.id(), line); series != nil {
				series.add(s.get("le"), value, line)
			}
		}
	case s.get("vmrange") != nil:
		if f := a.family("_bucket"); f != nil {
			f.inRange(s.id(), s.get("vmrange"), value, line)
		}
	case q != nil:
		if f := a.family(""); f != nil {
			f.claim(s.id(), q, value, line)
		}
	default:
		if !a.families.aside(s, value, line) {
			a.plain++ // that somebody computed
		}
	}
}

// values takes a series over time.
func (a *apiReader) values(line int) {
	s := &a.at
	a.tracks.begin()
	a.points()
	if a.err != nil {
		return
	}
	q := s.get("quantile")
	switch {
	case s.leFrom > 0:
		if f := a.family("_bucket"); f != nil {
			if err := a.tracks.keep(f, s.id(), s.get("le"), line); err != nil && a.err == nil {
				a.err = err
			}
		}
	case s.get("vmrange") != nil:
		if f := a.family("_bucket"); f != nil && a.err == nil {
			a.err = a.tracks.noRanges(line)
		}
	case q != nil:
		if f := a.family(""); f != nil {
			f.claim(s.id(), q, a.tracks.largest(), line)
		}
	case !a.tracks.aside(s, line):
		a.plain++
	}
}

// points takes [[time, "count"], …]: nearly all of a range query, so the usual
// spelling is read straight from the buffer.
func (a *apiReader) points() {
	if !a.expect('[') {
		return
	}
	if a.peek() == ']' {
		a.start++
		return
	}
	for a.err == nil {
		n, ms, count, ok := quickPoint(a.buf[a.start:a.end])
		if ok {
			a.start += n
			a.tracks.point(ms, count)
		} else {
			a.point()
		}
		if a.start < a.end && a.buf[a.start] == ',' {
			a.start++
			continue
		}
		switch c := a.peek(); {
		case c == ',':
			a.start++
		case c == ']':
			a.start++
			return
		default:
			a.unexpected(c, "',' or ']'")
		}
	}
}

// point takes [time, "count"] in any spelling.
func (a *apiReader) point() {
	var time, count float64
	ok := true
	a.array(func(i int) {
		f, isNumber := number(a.number())
		ok = ok && isNumber && i < 2
		if i == 0 {
			time = f
		} else {
			count = f
		}
	})
	if !ok || math.IsNaN(time) || math.Abs(time) > 1e15 {
		a.fail("a point that is not [time, \"value\"]")
		return
	}
	a.tracks.point(int64(math.Round(time*1000)), count)
}

// quickPoint reads [1764500000.123,"9000"]: whole counts of up to 15 digits.
func quickPoint(b []byte) (n int, ms int64, count float64, ok bool) {
	if len(b) < 8 || b[0] != '[' {
		return
	}
	i := 1
	var seconds int64
	if len(b) >= 16 {
		if eight, ok := eightDigits(binary.LittleEndian.Uint64(b[1:])); ok {
			seconds, i = eight, 9
		}
	}
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		seconds = seconds*10 + int64(b[i]-'0')
	}
	if i == 1 || i > 12 {
		return
	}
	ms = seconds * 1000
	if i < len(b) && b[i] == '.' {
		i++
		for scale := int64(100); i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
			if scale == 0 {
				return
			}
			ms += int64(b[i]-'0') * scale
			scale /= 10
		}
	}
	if i+2 >= len(b) || b[i] != ',' || b[i+1] != '"' {
		return
	}
	i += 2
	from := i
	var whole int64
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		whole = whole*10 + int64(b[i]-'0')
	}
	if i == from || i-from > 15 || i+1 >= len(b) || b[i] != '"' || b[i+1] != ']' {
		return
	}
	return i + 2, ms, float64(whole), true
}

// eightDigits reads the eight digits of a little-endian word, all at once.
func eightDigits(w uint64) (int64, bool) {
	const zeros = 0x3030303030303030
	if (w&0xf0f0f0f0f0f0f0f0)|((w+0x0606060606060606)&0xf0f0f0f0f0f0f0f0)>>4 != zeros|zeros>>4 {
		return 0, false
	}
	w -= zeros
	w = w*10 + w>>8 // pairs
	w = (w&0x000000ff000000ff)*(100+1000000<<32) + (w>>16&0x000000ff000000ff)*(1+10000<<32)
	return int64(w >> 32), true
}

// histogram takes [time, {native histogram}].
func (a *apiReader) histogram(line int) {
	f := a.family("")
	a.array(func(i int) {
		if i == 0 {
			a.number()
			return
		}
		h := a.native()
		if f != nil && a.err == nil {
			f.addNative(h, a.at.id(), line)
		}
	})
}

// histograms takes [[time, {native histogram}], …]: counters over time.
func (a *apiReader) histograms(line int) {
	f := a.family("")
	track := nativeTrack{fam: f, id: a.at.id(), line: line}
	a.array(func(int) {
		var ms int64
		a.array(func(i int) {
			if i == 0 {
				time, ok := number(a.number())
				if !ok || !(math.Abs(time) < 1e12) {
					a.fail("a time that is no number")
				}
				ms = int64(math.Round(time * 1000))
				return
			}
			h := a.native()
			if a.err != nil {
				return
			}
			track.next(ms, h)
			a.tracks.span(ms)
		})
	})
	if f != nil && a.err == nil && track.steps > 0 {
		if a.tracks.usual == 0 {
			a.tracks.usual = step(track.times)
		}
		a.tracks.natives = append(a.tracks.natives, track)
	}
}

// native takes {"count":…,"sum":…,"buckets":[[rule, left, right, count],…]}.
func (a *apiReader) native() *native {
	h := &native{}
	a.object(func(key []byte) {
		switch string(key) {
		case "count":
			h.count, _ = number(a.number())
		case "sum":
			h.sum, _ = number(a.number())
		case "buckets":
			a.array(func(int) {
				var b nativeBucket
				a.array(func(i int) {
					text := a.number()
					switch i {
					case 1:
						b.left = string(text)
					case 2:
						b.right = string(text)
					case 3:
						n, ok := number(text)
						if !ok {
							a.fail("a bucket count of %s", show(text))
						}
						b.count = n
					}
				})
				h.buckets = append(h.buckets, b)
				if len(h.buckets) > 1<<16 {
					a.fail("a native histogram with more than %d buckets", 1<<16)
				}
			})
		default:
			a.skip()
		}
	})
	if a.err == nil {
		if err := h.parse(); err != "" {
			a.fail("%s", fmt.Sprintf("a native histogram %s", err))
		}
	}
	return h
}
