package source

import (
	"bytes"
	"fmt"
	"math"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// mostBroken is how many broken series are told apart; more are counted.
const mostBroken = 5

// exactCounts is the largest count that a float holds exactly.
const exactCounts = 1 << 53

// slack is how far cumulative counts may fall, in proportion, for no other
// reason than floating-point sums.
const slack = 1e-12

// torn is how far they may fall when a server computed them with rate or
// increase, which look at each bucket on its own.
const torn = 1e-3

// family is one metric: the histograms of all its series, added up by layout.
type family struct {
	in       *input
	q        *Query
	name     string
	kind     string // what # TYPE says
	declared string // what # UNIT says
	line     int    // of its first sample

	open    map[uint64]*series
	opened  []*series // in the order of their lines
	closed  map[uint64]closed
	early   map[uint64]tally // counts whose series has no buckets, so far
	layouts map[string]*layout
	ordered []*layout
	last    *layout
	spare   *series
	texts   map[string]string

	sum, count float64
	noSum      bool
	mismatch   float64 // samples counted in _count but in no bucket
	mismatchAt int
	beyond     float64 // samples above every duration
	tornAt     int
	dumped     int // line where a second time of one series stands
	broken     []finding.Finding
	moreBroken int
	exemplar   float64 // largest in an open bucket
	claims     map[float64]*quantile
	claimants  map[uint64]int // lines of the series that have quantiles
	unbucketed tally          // samples of series without buckets, and where

	now         *began // what the input says of when its counters began
	forms       forms
	aggregated  bool // a server added the series up
	natives     dist.Builder
	nativeCount float64
	nativeSum   float64
	nativeN     int // series
	ranges      map[uint64]*ranged
	rangeOrder  []*ranged

	overTime bool // counters were differenced over a range
	restarts int
}

type closed struct {
	total float64
	line  int
}

// quantile is one line of a summary, over all its series.
type quantile struct {
	text   string
	value  float64
	series int
	empty  int // series whose value is NaN
	line   int
}

func (f *family) intern(text []byte) string {
	if s, ok := f.texts[string(text)]; ok {
		return s
	}
	if f.texts == nil || len(f.texts) > 1<<14 {
		f.texts = make(map[string]string)
	}
	s := string(text)
	f.texts[s] = s
	return s
}

// start is the series with these labels, kept until the end of the input, or
// nil (and a finding) when it was read to its end before.
func (f *family) start(id uint64, line int) *series {
	if s := f.open[id]; s != nil {
		return s
	}
	s := f.fresh(id, line)
	if s != nil {
		f.park(s)
	}
	return s
}

// fresh is start without keeping the series: the caller finishes or parks it.
func (f *family) fresh(id uint64, line int) *series {
	if len(f.open) > 0 {
		if s := f.open[id]; s != nil {
			return s
		}
	}
	if c, ok := f.closed[id]; ok {
		f.breaks(line, "the series that begins on line %d comes again, or its buckets do not stand together", c.line)
		return nil
	}
	s := f.spare
	if s == nil {
		s = &series{fam: f}
	}
	f.spare = nil
	s.id, s.line, s.layout = id, line, f.last
	if len(f.early) > 0 {
		s.count, s.hasCount = f.earlier(id)
	}
	if f.line == 0 {
		f.line = line
	}
	return s
}

// park keeps a series that may go on later.
func (f *family) park(s *series) {
	if f.open[s.id] == s {
		return
	}
	if f.open == nil {
		f.open = make(map[uint64]*series)
	}
	f.open[s.id] = s
	f.opened = append(f.opened, s)
}

// finish adds a complete series up and lets go of it.
func (f *family) finish(s *series) {
	parked := f.open[s.id] == s
	if parked {
		delete(f.open, s.id)
	}
	if f.closed == nil {
		f.closed = make(map[uint64]closed)
	}
	total := f.addUp(s)
	f.closed[s.id] = closed{total, s.line}
	if !parked {
		s.reuse()
		f.spare = s
	}
}

// finishAll ends what is still open at the end of the input.
func (f *family) finishAll() {
	for _, s := range f.opened {
		if f.open[s.id] == s {
			f.finish(s)
		}
	}
	f.opened = nil
	f.finishRanges()
}

// addUp checks a series and adds it to its layout; the total it returns is
// NaN for a broken one.
func (f *family) addUp(s *series) float64 {
	l := s.layout
	if s.own != nil || l == nil || len(s.counts) != len(l.texts) {
		l = f.layoutOf(s)
	}
	f.last = l
	if l.wrong != "" {
		f.breaks(s.line, "the histogram %s", l.wrong)
		return math.NaN()
	}
	if !f.sound(s, l) {
		return math.NaN()
	}
	if f.q.collect != nil {
		f.q.collect.keep(f.name, s)
		return s.counts[l.open]
	}
	if f.q.kept != nil && !f.overTime && !f.aggregated {
		f.q.kept.keep(f.name, s)
	}
	if !f.yields(s) && f.q.base != nil {
		f.q.base.subtract(f, s)
	}
	l.series++
	for i, at := range l.order {
		l.sums[i] += s.counts[at]
	}
	total := s.counts[l.open]
	if s.hasCount {
		f.compare(s.count, total, s.line)
	}
	f.count += total
	if s.hasSum {
		f.sum += s.sum
	} else {
		f.noSum = true
	}
	return total
}

func (f *family) layoutOf(s *series) *layout {
	texts := s.texts()
	key := layoutKey(texts)
	if l, ok := f.layouts[key]; ok {
		return l
	}
	if f.layouts == nil {
		f.layouts = make(map[string]*layout)
	}
	l := newLayout(append([]string(nil), texts...))
	f.layouts[key] = l
	f.ordered = append(f.ordered, l)
	return l
}

// sound checks what every cumulative histogram must be: whole and growing.
// Falls within rounding are levelled to the smaller count, which keeps the
// bounds on the safe side.
func (f *family) sound(s *series, l *layout) bool {
	after := math.Inf(1)
	for i := len(l.order) - 1; i >= 0; i-- {
		at := l.order[i]
		c, line := s.counts[at], s.lineOf(at)
		switch {
		case math.IsNaN(c):
			f.breaks(line, "the bucket %s has the count NaN", show(l.texts[at]))
			return false
		case c < 0:
			f.breaks(line, "the bucket %s has the negative count %v", show(l.texts[at]), c)
			return false
		case c >= exactCounts:
			f.breaks(line, "the bucket %s has the count %v, above 2^53", show(l.texts[at]), c)
			return false
		case l.bounds[at] < 0 && c > 0:
			f.breaks(line, "%v samples are below %s: negative durations", c, show(l.texts[at]))
			return false
		case c > after:
			if !f.levels(s, c, after, line) {
				next := l.order[i+1]
				f.breaks(s.lineOf(next), "cumulative counts fall from %v at %s to %v at %s", c, show(l.texts[at]), after, show(l.texts[next]))
				return false
			}
			s.counts[at] = after
		}
		after = min(c, after)
	}
	return true
}

func (f *family) levels(s *series, c, after float64, line int) bool {
	if c-after <= slack*c {
		return true
	}
	if c-after > torn*c || c == math.Trunc(c) && after == math.Trunc(after) {
		return false
	}
	if f.tornAt == 0 {
		f.tornAt = line
	}
	return true
}

// compare holds _count against the +Inf bucket.
func (f *family) compare(count, total float64, line int) {
	if extra := count - total; extra > slack*count && !math.IsInf(count, 1) {
		f.mismatch += extra
		if f.mismatchAt == 0 {
			f.mismatchAt = line
		}
	}
}

// breaks records that the metric is broken, and where.
func (f *family) breaks(line int, format string, args ...any) {
	if len(f.broken) >= mostBroken {
		f.moreBroken++
		return
	}
	f.broken = append(f.broken, rule.Broken(f.place(line), show(f.name), fmt.Sprintf(format, args...)))
}

// tallied takes a _count line.
func (f *family) tallied(id uint64, count float64, line int) {
	if s := f.open[id]; s != nil {
		s.count, s.hasCount = count, true
		return
	}
	if c, ok := f.closed[id]; ok {
		f.compare(count, c.total, line)
		return
	}
	if r := f.ranges[id]; r != nil {
		r.tally = count
		return
	}
	if f.early == nil {
		f.early = make(map[uint64]tally)
	}
	f.early[id] = tally{count, line}
}

// summed takes a _sum line.
func (f *family) summed(id uint64, sum float64) {
	if s := f.open[id]; s != nil {
		s.sum, s.hasSum = sum, true
		return
	}
	if _, ok := f.closed[id]; ok {
		f.sum += sum
		return
	}
	if r := f.ranges[id]; r != nil {
		r.sum = sum
		return
	}
	f.noSum = true
}

// claim takes a quantile line of a summary.
func (f *family) claim(id uint64, text []byte, value float64, line int) bool {
	q, ok := number(text)
	if !ok || !(q >= 0 && q <= 1) {
		return false
	}
	if f.claims == nil {
		f.claims = make(map[float64]*quantile)
		f.claimants = make(map[uint64]int)
	}
	if _, ok := f.claimants[id]; !ok {
		f.claimants[id] = line
	}
	if f.line == 0 {
		f.line = line
	}
	c := f.claims[q]
	if c == nil {
		c = &quantile{text: string(text), value: math.Inf(-1), line: line}
		f.claims[q] = c
	}
	c.series++
	if math.IsNaN(value) {
		c.empty++
		return true
	}
	c.value = max(c.value, value)
	return true
}

// example takes the exemplar of an open bucket: the longest sample is at
// least that.
func (f *family) example(text []byte) {
	at := bytes.LastIndexByte(text, '}')
	if at < 0 {
		return
	}
	if value, _, ok := leadingNumber(bytes.TrimLeft(text[at+1:], " ")); ok && value > f.exemplar {
		f.exemplar = value
	}
}

func (f *family) place(line int) rule.Place { return rule.Place{File: f.in.name, Line: line} }

// unit is the metric's; where nothing says, seconds (observe tells).
func (f *family) unit() (unit string, known bool, err error) {
	unit, known, err = f.q.unitOf(f.declared, f.name)
	if err == nil && !known {
		unit = "s"
	}
	return unit, known, err
}

// addNative takes the native histogram of one series. It is held back until
// the series' classic form is known as well.
func (f *family) addNative(h *native, id uint64, line int) {
	if f.line == 0 {
		f.line = line
	}
	if n := h.negative(); n > 0 {
		f.breaks(line, "%v samples are negative durations", n)
		return
	}
	unit, _, err := f.unit()
	if err != nil {
		return // observe tells
	}
	f.beyond += h.beyond(units[unit])
	if f.q.collect != nil {
		f.q.collect.keepNative(f.name, id, h)
	}
	if f.q.kept != nil && !f.overTime && !f.aggregated {
		f.q.kept.keepNative(f.name, id, h)
	}
	f.nativeN++
	f.hold(id, h)
}

// addRun adds the growth of one native series over time.
func (f *family) addRun(r *nativeRun, id uint64, line int) {
	f.overTime = true
	f.addNative(r.total(), id, line)
}
