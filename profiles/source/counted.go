package source

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/lockplan/lockplan/calc/finding"
)

// tally is a _count, and its line. Its series may have buckets or not: a pod
// may export a timer without a histogram, or a summary, where others of the
// same metric have one.
type tally struct {
	count float64
	line  int
}

// wait keeps a count that came before anything else of its metric.
func (fs *families) wait(name []byte, id uint64, t tally) {
	of := fs.counts[string(name)]
	if of == nil {
		if len(fs.counts) >= mostFamilies {
			fs.full = true
			return
		}
		if fs.counts == nil {
			fs.counts = make(map[string]map[uint64]tally)
		}
		of = make(map[uint64]tally)
		fs.counts[string(name)] = of
	}
	of[id] = t
}

// earlier is the count of a series that came before its buckets.
func (f *family) earlier(id uint64) (float64, bool) {
	t, ok := f.early[id]
	delete(f.early, id)
	return t.count, ok
}

// leftOver counts the samples of series that have no buckets: of these only
// their number is known. Where no series has any, the metric is a summary.
func (f *family) leftOver() {
	if len(f.ordered) == 0 && f.nativeN == 0 {
		return
	}
	for _, id := range slices.SortedFunc(maps.Keys(f.early), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(f.early[a].line, f.early[b].line), cmp.Compare(a, b))
	}) {
		t := f.early[id]
		if n := f.forms.byID[id]; n != nil {
			f.compare(t.count, n.count, t.line)
			continue
		}
		switch q := f.q; {
		case math.IsNaN(t.count) || t.count < 0 || t.count >= exactCounts:
			f.breaks(t.line, "the count of a series is %v", t.count)
			continue
		case q.collect != nil:
			q.collect.keepTally(f.name, id, t.count)
			continue
		case q.base != nil:
			t.count = q.base.talliedSince(f, id, t.count)
		}
		if t.count == 0 {
			continue
		}
		f.unbucketed.count += t.count
		f.noSum = true
		if at := f.unbucketed.line; at == 0 || t.line < at {
			f.unbucketed.line = t.line
		}
	}
	for id := range f.claimants {
		_, counted := f.early[id]
		if _, closed := f.closed[id]; counted || closed || f.forms.byID[id] != nil {
			delete(f.claimants, id)
		}
	}
}

// judgeUnbucketed tells of series without buckets. Where not even their number
// is known, what the other series say is not the metric's.
func (f *family) judgeUnbucketed(o *Observation) {
	if f.unbucketed.count > 0 {
		o.add("LP206", finding.Warning, f.unbucketed.line, uncounted(f.name, f.unbucketed.count), "export histograms from every instance")
	}
	if n := len(f.claimants); n > 0 {
		first := math.MaxInt
		for _, line := range f.claimants {
			first = min(first, line)
		}
		o.add("LP205", finding.Error, first,
			fmt.Sprintf("%s of %s: percentiles cannot be merged with the buckets of the others, and how many samples they stand for is not said", count(n, "series has only percentiles", "series have only percentiles"), show(f.name)),
			"export histograms from every instance, or --match without these")
	}
}

// uncounted is the message of samples of which there is only a count.
func uncounted(name string, n float64) string {
	return fmt.Sprintf("%s counts %v samples in series that have no buckets: they count as unbounded", show(name), n)
}
