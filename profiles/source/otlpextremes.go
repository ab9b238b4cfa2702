package source

import (
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// add adds the samples of a point. Its own minimum and maximum are exact, and
// narrow the buckets at the ends, unless they contradict them.
func (m *otlpMetric) add(in *input, p *otlpPoint, unit time.Duration, explicit bool) {
	if unit == 0 {
		return // told by choose
	}
	h, err := p.histogram(in, explicit)
	if err != nil {
		m.note(err)
		return
	}
	var alone dist.Builder
	if !h.addTo(&alone, unit) {
		m.note(in.usagef(p.line, "a bucket bound that is no duration"))
		return
	}
	d := alone.Dist()
	if d.Count() == 0 {
		return
	}
	m.sum, m.count = m.sum+p.sum, m.count+p.count
	m.noSum = m.noSum || !p.hasSum
	bottom, top := d.Min(), d.Max()
	least, _, hasLeast := scaled(p.least, unit)
	_, most, hasMost := scaled(p.most, unit)
	// 0 is also how proto3 says nothing: it must not make a hold of 0.
	hasMost = hasMost && most > 0
	clash := hasLeast && (least < bottom.Lower || least > bottom.Upper) ||
		hasMost && (most <= top.Lower || most > top.Upper) ||
		hasLeast && hasMost && least > most
	if clash && m.clash == 0 {
		m.clash = p.line
	}
	for bucket := range d.All() {
		lo, hi := bucket.Lo, bucket.Hi
		switch {
		case clash && hasMost && hi == top.Upper:
			hi = max(hi, most)
		case !clash && hasMost:
			hi = min(hi, most)
		}
		if !clash && hasLeast {
			lo = max(lo, least)
		}
		m.delta.AddRange(min(lo, hi), hi, bucket.Count)
	}
}
