package source

import "bytes"

// ranged are VictoriaMetrics' buckets of one series: each with both bounds,
// not cumulative, and only where there are samples.
type ranged struct {
	native
	id    uint64
	line  int
	seen  map[string]bool
	tally float64
}

// inRange takes a bucket such as vmrange="8.799e-02...1.000e-01".
func (f *family) inRange(id uint64, text []byte, count float64, line int) {
	left, right, ok := bytes.Cut(text, []byte("..."))
	if !ok {
		f.breaks(line, "a vmrange of %s", show(text))
		return
	}
	r := f.ranges[id]
	if r == nil {
		r = &ranged{id: id, line: line, seen: make(map[string]bool), native: native{rounded: true}}
		if f.ranges == nil {
			f.ranges = make(map[uint64]*ranged)
		}
		f.ranges[id] = r
		f.rangeOrder = append(f.rangeOrder, r)
		r.tally, _ = f.earlier(id)
	}
	if f.line == 0 {
		f.line = line
	}
	if r.seen[string(text)] {
		f.breaks(line, "the range %s twice", show(text))
		return
	}
	r.seen[string(text)] = true
	r.buckets = append(r.buckets, nativeBucket{left: string(left), right: string(right), count: count})
	r.count += count
}

// finishRanges adds up all series of ranges.
func (f *family) finishRanges() {
	for _, r := range f.rangeOrder {
		r.count = max(r.count, r.tally)
		if wrong := r.parse(); wrong != "" {
			f.breaks(r.line, "a series %s", wrong)
			continue
		}
		f.addNative(&r.native, r.id, r.line)
	}
	f.ranges, f.rangeOrder = nil, nil
}
