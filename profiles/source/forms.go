package source

import "slices"

// forms are the native histograms of a metric. A series may have a classic
// form too, of the same samples; another series may have that form only, as
// while a fleet is upgraded. So it is decided for each series on its own.
type forms struct {
	natives []*heldNative
	byID    map[uint64]*heldNative
	size    int // bytes, about
}

type heldNative struct {
	native *native // nil once it was added or dropped
	id     uint64
	count  float64
	seen   bool // its classic form was met
}

// hold keeps a native histogram. Beyond the budget it is added at once.
func (f *family) hold(id uint64, h *native) {
	fs := &f.forms
	if fs.byID == nil {
		fs.byID = make(map[uint64]*heldNative)
	}
	if fs.byID[id] != nil {
		f.breaks(f.line, "a native histogram comes twice with the same labels")
		return
	}
	n := &heldNative{native: h, id: id, count: h.count}
	fs.natives = append(fs.natives, n)
	fs.byID[id] = n
	if fs.size += 100 * len(h.buckets); fs.size > budget {
		f.release(n)
	}
}

// yields says that the native form of a series holds at least as much as its
// classic form, which is then emptied. The finer one is read.
func (f *family) yields(s *series) bool {
	n := f.forms.byID[s.id]
	if n == nil {
		return false
	}
	n.seen = true
	total := slices.Max(s.counts)
	if surplus := total*(1-slack) - n.count; surplus > 0 {
		if n.native != nil {
			n.native = nil
			f.nativeN--
			return false
		}
		f.compare(total, n.count, s.line)
	}
	f.layoutOf(s).series-- // it is counted with the natives
	clear(s.counts)
	s.hasCount, s.sum, s.hasSum = false, 0, true
	return true
}

// weigh adds the native histograms that were held back.
func (f *family) weigh() {
	for _, n := range f.forms.natives {
		c, both := f.closed[n.id]
		switch {
		case n.native == nil:
		case both && !n.seen:
			// The classic form was added before: what the other has beyond
			// it is not known to be short.
			f.nativeN--
			f.compare(f.grown(n.id, n.native).count, c.total, c.line)
			n.native = nil
		default:
			f.release(n)
		}
	}
}

// release adds a native histogram.
func (f *family) release(n *heldNative) {
	h := f.grown(n.id, n.native)
	n.native = nil
	unit, _, err := f.unit()
	if err != nil {
		return // observe tells
	}
	if !h.addTo(&f.natives, units[unit]) {
		f.breaks(f.line, "a native histogram has a bucket bound that is no duration")
		return
	}
	f.nativeCount += h.count
	f.nativeSum += h.sum
}

// grown is what a native histogram counted since the earlier snapshot, if
// there is one.
func (f *family) grown(id uint64, h *native) *native {
	if f.q.base == nil {
		return h
	}
	return f.q.base.grown(f, id, h)
}
