package source

import (
	"fmt"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// judgePeers is LP204 for instances of one metric: bounds that are a thousand
// times another's, one by one, or a median that is.
func (f *family) judgePeers(o *Observation) {
	if len(f.ordered) < 2 {
		return
	}
	if low, high, ok := f.thousandfold(); ok {
		o.suspectPeers(f.line, fmt.Sprintf("of the instances of %s some have buckets up to %v and others the same a thousand times over, up to %v", show(f.name), low, high), 0)
		return
	}
	var low, high time.Duration
	for _, l := range f.ordered {
		var b dist.Builder
		if l.sums[len(l.sums)-1] == 0 || !l.addTo(&b, units[o.Unit]) {
			continue
		}
		median := b.Dist().Quantile(0.5).Upper
		if median == dist.Inf || median == 0 {
			continue
		}
		if low == 0 || median < low {
			low = median
		}
		high = max(high, median)
	}
	if low > 0 && high/1000 >= low {
		o.suspectPeers(f.line, fmt.Sprintf("of the instances of %s the median is up to %s here and up to %s there, a factor of 1000 apart", show(f.name), dur.Format(low), dur.Format(high)), high)
	}
}

// thousandfold are the last bounds of two layouts, of which one has a thousand
// times the other's bounds.
func (f *family) thousandfold() (low, high float64, ok bool) {
	last := map[string]float64{}
	key := func(l *layout, times float64) (text string, top float64) {
		for _, at := range l.order {
			if b := l.bounds[at]; !math.IsInf(b, 1) {
				text, top = fmt.Sprintf("%s %.12g", text, b*times), b
			}
		}
		return text, top
	}
	for _, l := range f.ordered {
		if text, top := key(l, 1); top > 0 {
			last[text] = top
		}
	}
	for _, l := range f.ordered {
		text, top := key(l, 1000)
		if other, there := last[text]; there && top > 0 {
			return top, other, true
		}
	}
	return 0, 0, false
}

// suspectPeers is an LP204 finding about instances that cannot be in one unit.
func (o *Observation) suspectPeers(line int, message string, value time.Duration) {
	f := finding.Finding{ID: "LP204", Severity: finding.Error, Line: line, Message: message + ": one of them is read in the wrong unit",
		Fix: "each instance in a file of its own, with its --unit, until all record in one"}
	if value > 0 {
		f.Value = finding.Of(value)
	}
	o.Findings = append(o.Findings, f)
}
