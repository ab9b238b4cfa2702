package source

import (
	"bytes"
	"slices"
)

// textStep is what one line of a page tells, or several buckets of one series
// that follow each other. Its text is that of the block.
type textStep struct {
	kind   textKind
	name   []byte // of the metric
	id     uint64 // of the series
	line   int
	value  float64
	text   []byte // a range, quantile, type or unit; the exemplar of the last bucket
	les    [][]byte
	counts []float64
	time   float64
	timed  bool
}

type textKind int

const (
	textBuckets textKind = iota
	textSum
	textCount
	textRange // VictoriaMetrics' vmrange
	textQuantile
	textType
	textUnit
	textStart  // since when something counts
	textPassed // a metric that is not asked for
)

// bucket adds a bucket of the current series.
func (t *textLines) bucket(le []byte, count float64, behind trailer) {
	if t.run >= 0 {
		s := &t.steps[len(t.steps)-1]
		if t.n != s.line+len(t.store)-t.run || s.timed != behind.timed || s.time != behind.time {
			t.endRun()
		}
	}
	if t.run < 0 {
		t.tell(textStep{kind: textBuckets, name: t.name, id: t.id, time: behind.time, timed: behind.timed})
		t.run = len(t.store)
	}
	n := len(t.store) - t.run
	if n >= len(t.les) || !bytes.Equal(t.les[n], le) {
		if !t.own {
			t.les, t.own = slices.Clone(t.les[:n]), true
		}
		t.les = append(t.les[:n], bytes.Clone(le))
	}
	t.store = append(t.store, count)
	if behind.exemplar != nil {
		t.steps[len(t.steps)-1].text = behind.exemplar
		t.endRun()
	}
}

// endRun says that no more buckets belong to the last step.
func (t *textLines) endRun() {
	if t.run < 0 {
		return
	}
	s := &t.steps[len(t.steps)-1]
	s.counts = t.store[t.run:]
	s.les = t.les[:len(s.counts)]
	t.run, t.own = -1, false
}

// tell adds a step.
func (t *textLines) tell(s textStep) {
	t.endRun()
	s.line = t.n
	t.steps = append(t.steps, s)
}

// passBy remembers a metric that is not asked for, for the hint when the one
// that is asked for is not there.
func (t *textLines) passBy(name []byte) {
	if n := len(t.steps); n == 0 || t.steps[n-1].kind != textPassed || !bytes.Equal(t.steps[n-1].name, name) {
		t.tell(textStep{kind: textPassed, name: name})
	}
}
