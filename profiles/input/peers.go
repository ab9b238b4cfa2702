package input

import (
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/source"
)

// judgePeers is LP204 for files of the same holds: a median a thousand times
// another's is one in another unit, unless --unit says which.
func (r *resolver) judgePeers(inputs []*source.Observation) {
	if _, said := r.set["unit"]; said {
		return
	}
	var low, high *source.Observation
	median := func(o *source.Observation) time.Duration { return o.Dist.Quantile(0.5).Upper }
	for _, o := range inputs {
		if o.Dist.Count() == 0 || median(o) == dist.Inf || median(o) == 0 {
			continue
		}
		if low == nil || median(o) < median(low) {
			low = o
		}
		if high == nil || median(o) > median(high) {
			high = o
		}
	}
	if low == nil {
		return
	}
	f, suspect := rule.UnitPeers(rule.Place{File: high.File, Line: high.Line}, "the median of "+high.File, median(high), "the median of "+low.File, median(low))
	if suspect {
		r.got.Findings = append(r.got.Findings, f)
	}
}
