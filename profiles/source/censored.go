package source

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

const (
	late      = 50 // a timer fires up to this part of its time late
	denser    = 3  // times as many as below
	fewerThan = 10 // times as many there are in all
	leastLast = 10 // samples of a last bucket
)

// censor looks for timeouts at which the times were cut off: where the last
// samples are heaps at round times, or all the same, nobody knows how much
// longer they would have taken, and they count as at least that. A heap of many
// samples is how long the work takes, unless nothing comes near it; the last of
// a few values is the largest of them; that of a histogram may be a wide bucket:
// those are only told.
func (o *Observation) censor() {
	t := tailOf(o.Dist)
	h, found := t.heaps()
	if !found {
		if o.Dist.Max().Upper != dist.Inf {
			o.tellLastBucket()
		}
		return
	}
	last := t.from(h.from)
	but := ""
	if h.longer > 0 {
		but = fmt.Sprintf(" (%d of them longer)", h.longer)
	}
	what := fmt.Sprintf("the last %d of %d samples%s lie at %s like a heap: it looks like a timeout, after which nobody knows how much longer they would have taken", last, o.Dist.Count(), but, strings.Join(h.at, " and "))
	if h.work {
		o.add("LP202", finding.Warning, o.Line, what, "if so, measure without it; if not, this is how long the work takes")
		return
	}
	o.Dist, o.Mean = openFrom(o.Dist, h.from), nil
	o.add("LP202", finding.Warning, o.Line, what+", so they count as at least that", "measure without it, or plan with --max where nothing can take longer")
}

// openFrom is d where nobody knows how long the samples from there on are.
func openFrom(d *dist.Dist, from time.Duration) *dist.Dist {
	var open dist.Builder
	for b := range d.All() {
		if b.Lo >= from {
			b.Hi = dist.Inf
		}
		open.AddRange(b.Lo, b.Hi, b.Count)
	}
	return open.Dist()
}

// tellLastBucket tells of a histogram that ends in a heap: a tail thins out.
func (o *Observation) tellLastBucket() {
	var last, before dist.Bucket
	for b := range o.Dist.All() {
		if b.Count > 0 {
			before, last = last, b
		}
	}
	isWide := last.Hi-last.Lo > last.Hi/late
	if isWide && last.Lo > 0 && last.Count >= leastLast && last.Count > denser*before.Count && last.Count <= o.Dist.Count()/fewerThan {
		o.add("LP202", finding.Warning, o.Line,
			fmt.Sprintf("%d samples lie in the last bucket, from %s to %s, and %d in the one before: a timeout in it would have cut them off", last.Count, dur.Format(last.Lo), dur.Format(last.Hi), before.Count),
			"if so, measure without it")
	}
}
