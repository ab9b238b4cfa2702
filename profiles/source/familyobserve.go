package source

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

func (f *family) hasSamples() bool {
	return len(f.ordered) > 0 || len(f.claims) > 0 || len(f.broken) > 0 || f.nativeN > 0
}

func (f *family) onlyClaims() bool {
	return len(f.ordered) == 0 && len(f.broken) == 0 && f.nativeN == 0
}

// observe says what the metric holds.
func (f *family) observe(in *input, q *Query) (*Observation, error) {
	if f.kind == "gaugehistogram" {
		return nil, fault.Usagef("%s: metric %s is a gauge histogram: it shows a state, not events", show(in.name), show(f.name))
	}
	if f.dumped > 0 {
		return nil, in.usagef(f.dumped, "the same series at another time: a dump of many scrapes").
			Hintf("give one scrape, or the query API's JSON of a range")
	}
	unit, known, err := f.unit()
	if err != nil {
		return nil, in.usagef(f.line, "%w", err).Hintf("%s", fault.HintOf(err))
	}
	o := &Observation{Metric: f.name, Unit: unit, Line: f.line, Findings: f.broken}
	if !known {
		o.add("LP208", finding.Warning, f.line, "no unit in the name "+show(f.name)+": seconds are assumed", "--unit s, ms, us or ns")
	}
	f.judgeDeclared(o)
	if f.onlyClaims() {
		return o, f.claimed(in, o)
	}
	for _, l := range f.ordered {
		o.Series += l.series
	}
	o.Series += f.nativeN
	if len(f.broken) > 0 {
		if f.moreBroken > 0 {
			o.add("LP206", finding.Error, 0, fmt.Sprintf("%s is broken in %s more", show(f.name), count(f.moreBroken, "place", "places")), "")
		}
		return o, nil
	}
	if q.collect != nil {
		return o, nil
	}
	if q.base != nil {
		if err := q.base.swapped(f); err != nil {
			return nil, err
		}
	}
	if err := f.addBuckets(in, o); err != nil {
		return nil, err
	}
	if f.nativeN > 0 {
		o.Dist = dist.Merge(o.Dist, f.natives.Dist())
		f.sum, f.count = f.sum+f.nativeSum, f.count+f.nativeCount
	}
	if o.Dist.Count() == 0 {
		return nil, fault.NoDataf("%s: %s has no samples", show(in.name), show(f.name))
	}
	f.describe(o)
	f.judgePeers(o)
	f.judgeWindow(o)
	return o, nil
}

// judgeWindow is LP207: counters of which nobody said since when.
func (f *family) judgeWindow(o *Observation) {
	switch {
	case f.q.base != nil:
		f.q.base.describe(f, o)
	case f.overTime || f.q.SinceStart:
	case f.aggregated:
		o.add("LP207", finding.Info, f.line, "the server added these counts up: the answer does not say over which window", "")
	default:
		o.Findings = append(o.Findings, rule.NoWindow(f.place(f.line), show(f.name)))
	}
}

func (o *Observation) add(id string, severity finding.Severity, line int, message, fix string) {
	o.Findings = append(o.Findings, finding.Finding{ID: id, Severity: severity, Message: message, Fix: fix, Line: line})
}

// addBuckets turns the sums of each layout into ranges of samples.
func (f *family) addBuckets(in *input, o *Observation) error {
	var b dist.Builder
	total := 0.0
	for _, l := range f.ordered {
		total += l.sums[len(l.sums)-1]
		if !l.addTo(&b, units[o.Unit]) {
			return in.usagef(f.line, "a bucket bound of %s is too long for a duration", show(f.name))
		}
	}
	if total > exactCounts {
		return in.usagef(f.line, "%s counts %v samples, above 2^53", show(f.name), total)
	}
	b.AddRange(0, dist.Inf, uint64(math.Ceil(f.mismatch))+uint64(math.Ceil(f.unbucketed.count)))
	o.Dist = b.Dist()
	return nil
}

// addTo adds the samples of one layout. Sums may be fractions (rate and
// increase extrapolate): fewer samples are then known to be below a bound and
// more are known to exist, never the reverse.
func (l *layout) addTo(b *dist.Builder, unit time.Duration) bool {
	n := len(l.sums)
	total := l.sums[n-1]
	whole := uint64(math.Ceil(total))
	var lower time.Duration
	var before uint64
	for i, at := range l.order {
		below := uint64(math.Floor(l.sums[i]))
		if l.sums[i] == total {
			below = whole
		}
		below = max(below, before)
		if at == l.open {
			b.AddRange(lower, dist.Inf, below-before)
			continue
		}
		if l.bounds[at] < 0 {
			continue
		}
		down, up, ok := scaled([]byte(l.texts[at]), unit)
		if !ok || up == dist.Inf {
			return false
		}
		b.AddRange(lower, up, below-before)
		lower, before = down, below
	}
	return true
}

// describe adds what the counts say beside the distribution.
func (f *family) describe(o *Observation) {
	if f.mismatch > 0 {
		o.add("LP206", finding.Warning, f.mismatchAt,
			fmt.Sprintf("%s counts %v samples that are in no bucket: they count as unbounded", show(f.name), f.mismatch),
			"NaN observations, or a page written while it changed")
	}
	f.judgeUnbucketed(o)
	if f.beyond > 0 {
		o.add("LP206", finding.Warning, f.line, fmt.Sprintf("%v samples of %s are longer than any duration: they count as unbounded", f.beyond, show(f.name)), "the last range of VictoriaMetrics begins at 1e18: what was recorded there was no duration, or not in this unit")
	}
	if f.tornAt > 0 {
		o.add("LP206", finding.Warning, f.tornAt, show(f.name)+" falls by under 0.1% between buckets, as rate and increase leave it: the smaller counts are taken", "")
	}
	used := make(map[string]bool)
	for _, l := range f.ordered {
		if l.series > 0 {
			used[l.edges()] = true
		}
	}
	if len(used) > 1 {
		o.Findings = append(o.Findings, rule.MixedLayouts(f.place(f.line), show(f.name), o.Series, len(used)))
	}
	f.judgeUnit(o)
	f.exemplify(o)
}

// exemplify uses the exemplar of an open bucket: one sample was that long, so
// the longest was not shorter.
func (f *family) exemplify(o *Observation) {
	top := o.Dist.Max()
	down, _, ok := scaled([]byte(boundText(f.exemplar)), units[o.Unit])
	if ok && top.Upper == dist.Inf && down > top.Lower {
		top.Lower = down
		o.Max = &top
	}
}

func (f *family) claimed(in *input, o *Observation) error {
	most := 0
	for q, c := range f.claims {
		most = max(most, c.series)
		if c.empty == c.series {
			continue
		}
		text := fmt.Sprintf("%v", c.value)
		_, up, ok := scaled([]byte(text), units[o.Unit])
		if !ok || up == dist.Inf {
			return in.usagef(c.line, "the quantile %s of %s is %s: not a duration", show(c.text), show(f.name), text)
		}
		o.Claims = append(o.Claims, Claim{q, up})
	}
	slices.SortFunc(o.Claims, func(a, b Claim) int { return cmp.Compare(a.Q, b.Q) })
	o.Series = most
	if len(o.Claims) == 0 {
		return fault.NoDataf("%s: every quantile of %s is NaN: no recent samples", show(in.name), show(f.name))
	}
	f.judgeRecent(o)
	if f.aggregated {
		o.Findings = append(o.Findings, rule.Averaged(f.place(f.line), show(f.name), "a server aggregated them over its series, by avg or the like"))
	}
	if most > 1 {
		o.add("LP205", finding.Warning, f.line,
			fmt.Sprintf("percentiles of %d series cannot be merged: the largest of each is taken", most), "export histograms instead of summaries")
	}
	return nil
}

// budget is how many bytes of native histograms are held back.
const budget = 16 << 20
