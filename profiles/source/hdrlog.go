package source

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// hdrLog is an HdrHistogram interval log of any version: jHiccup, YCSB, wrk2
// and many more. It never says its unit, except that jHiccup's is nanoseconds.
var hdrLog = format{
	name:  "hdr",
	about: "HdrHistogram interval log (.hlog) V0, V1 and V2; --metric is the tag",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("Interval_Compressed_Histogram")) || bytes.Contains(head, []byte("#[Histogram log format version"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		h := &hdrReader{lines: newLines(in), q: q, tags: make(map[string]*hdrCounts)}
		return h.run()
	},
}

type hdrReader struct {
	*lines
	q       *Query
	tags    map[string]*hdrCounts
	jHiccup bool
	payload hdrPayload
	packed  []byte
	first   time.Duration
	last    time.Duration
	timed   bool
}

// hdrCounts are the samples of one tag.
type hdrCounts struct {
	samples
	intervals int
}

func (h *hdrReader) run() (*Observation, error) {
	for {
		line, ok := h.next()
		if !ok {
			break
		}
		if len(line) == 0 || line[0] == '"' {
			continue
		}
		if line[0] == '#' {
			h.jHiccup = h.jHiccup || bytes.Contains(line, []byte("jHiccup"))
			continue
		}
		if err := h.interval(line); err != nil {
			return nil, err
		}
	}
	if h.err != nil {
		return nil, h.err
	}
	return h.observe()
}

// interval takes [Tag=x,]start,length,max,payload.
func (h *hdrReader) interval(line []byte) error {
	tag := ""
	if rest, ok := bytes.CutPrefix(line, []byte("Tag=")); ok {
		name, rest, ok := bytes.Cut(rest, []byte(","))
		if !ok {
			return h.in.usagef(h.n, "a tag without an interval")
		}
		tag, line = string(name), rest
	}
	cells, ok := cutCells(line, ',', nil, 4)
	if !ok || len(cells) != 4 {
		return h.in.usagef(h.n, "an interval with %s, not 4", count(len(cells), "field", "fields"))
	}
	start, _, ok1 := scaled(cells[0], time.Second)
	length, _, ok2 := scaled(cells[1], time.Second)
	if !ok1 || !ok2 {
		return h.in.usagef(h.n, "an interval without its start and length: %s", show(line))
	}
	counts := h.tags[tag]
	if counts == nil {
		if len(h.tags) >= 1000 {
			return h.in.usagef(h.n, "more than 1000 tags")
		}
		counts = &hdrCounts{samples: samples{in: h.in, line: h.n}}
		h.tags[tag] = counts
	}
	counts.intervals++
	if (h.q.Metric != "" || h.q.NoName) && tag != h.q.Metric {
		return nil
	}
	if !h.timed || start < h.first {
		h.first, h.timed = start, true
	}
	h.last = max(h.last, start+length)
	var err error
	if h.packed, err = base64.StdEncoding.AppendDecode(h.packed[:0], cells[3]); err != nil {
		return h.in.usagef(h.n, "the histogram is not base64: the line is cut off or damaged")
	}
	if wrong := h.payload.each(h.packed, h.unit(), &counts.samples); wrong != "" {
		return h.in.usagef(h.n, "the histogram %s", wrong)
	}
	return nil
}

// unit is what one count of the value stands for; 1 while nobody says.
func (h *hdrReader) unit() time.Duration {
	return cmp.Or(units[h.said()], time.Nanosecond)
}

// said is the unit that somebody says, or "".
func (h *hdrReader) said() string {
	own := ""
	if h.jHiccup {
		own = "ns"
	}
	return h.q.unitBeside(own)
}

func (h *hdrReader) observe() (*Observation, error) {
	tag := h.q.Metric
	counts := h.tags[tag]
	switch {
	case len(h.tags) == 0:
		return nil, fault.NoDataf("%s has no intervals", show(h.in.name))
	case counts == nil && (tag != "" || h.q.NoName):
		return nil, fault.Usagef("%s: tag %s is not there", show(h.in.name), show(tag)).Hintf("it has %s", list(sortedKeys(h.tags)))
	case tag == "" && !h.q.NoName && len(h.tags) > 1:
		return nil, fault.Usagef("%s holds several tags, perhaps of the same samples", show(h.in.name)).
			Hintf("--metric with one of %s", list(sortedKeys(h.tags)))
	case counts == nil:
		tag = sortedKeys(h.tags)[0]
		counts = h.tags[tag]
	}
	if h.said() == "" {
		return nil, fault.Usagef("%s does not say its unit", show(h.in.name)).Hintf("--unit us for YCSB and wrk2, --unit ns for jHiccup")
	}
	o, err := counts.samples.observe(tag, h.said())
	if err != nil {
		return nil, err
	}
	if h.jHiccup {
		o.Measures = Pause
		o.Metric = strings.TrimSpace("jHiccup " + tag)
	}
	if window := h.last - h.first; window > 0 {
		o.Window = &window
	}
	return o, nil
}
