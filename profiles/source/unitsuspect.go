package source

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// far is how much the mean by _sum may lie outside what the buckets allow
// before the two cannot be in the same unit; a page that is written while it
// changes, and rounding, leave the part and the one sample of agree.
const (
	far   = 10
	agree = 100
)

// milliBounds are the default bounds of OpenTelemetry's SDKs, made for
// milliseconds. Seconds recorded under them all land in the first bucket.
var milliBounds = []float64{0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000, math.Inf(1)}

// judgeUnit is LP204 as far as one metric shows it: a mean outside the
// buckets, default bounds of another unit, and holds of days.
func (f *family) judgeUnit(o *Observation) {
	unit := units[o.Unit]
	if mean := f.mean(unit); mean > 0 {
		o.judgeMean(mean, f.line)
	}
	milli := len(f.ordered) == 1 && f.allInFirstMilliBucket()
	o.confirmed = f.given(suffixes[strings.ToLower(f.declared)]) || milli && f.given("ms")
	if o.Unit == "s" && !f.given("s") && milli {
		o.suspect(finding.Error, f.line, 5*time.Second, "every sample is in the bucket up to 5s of bounds that were made for milliseconds: 5s? 5ms?")
	}
	severity := finding.Error
	if f.given(o.Unit) {
		severity = finding.Warning // the user knows
	}
	o.judgeLength(severity, f.line)
}

// judgeMean takes the mean by an input's own sum, and holds it against the
// buckets: each sample at its lower end, and at its upper end. Where they
// contradict each other nobody knows which is right.
func (o *Observation) judgeMean(mean time.Duration, line int) {
	o.Mean = &mean
	iv, top := o.Dist.Mean(), o.Dist.Max()
	n := time.Duration(min(o.Dist.Count(), math.MaxInt64))
	least := iv.Lower - iv.Lower/agree - top.Lower/n
	most := dist.Inf
	bounds := dur.Format(iv.Lower) + " or more"
	if iv.Upper != dist.Inf {
		more := iv.Upper/agree + top.Upper/n + 1
		most = iv.Upper + min(more, dist.Inf-iv.Upper)
		bounds = dur.Format(iv.Lower) + " to " + dur.Format(iv.Upper)
	}
	said := "the mean by the sum is " + dur.Format(mean) + ", by the buckets " + bounds
	switch {
	case mean/far > iv.Upper || iv.Upper != dist.Inf && iv.Lower/far > mean:
		o.suspect(finding.Error, line, mean, said+": two units")
	case mean > most || mean < least:
		o.Findings = append(o.Findings, finding.Finding{
			ID: "LP206", Severity: finding.Error, Line: line, Value: finding.Of(mean),
			Message: said + ": the two contradict each other, and nothing says which is right",
			Fix:     "look at what the metric records: both take the same values, in the same unit",
		})
	}
}

// meanOf is sum/count rounded up, or 0 where it says nothing.
func meanOf(sum, count float64, unit time.Duration) time.Duration {
	if count <= 0 || !(sum > 0) || math.IsInf(sum, 0) {
		return 0
	}
	ns := math.Ceil(sum / count * float64(unit))
	if ns >= math.MaxInt64 {
		return 0
	}
	return time.Duration(ns)
}

// judgeLength is LP204 for holds of more than a day.
func (o *Observation) judgeLength(severity finding.Severity, line int) {
	if top := o.Dist.Max(); top.Lower > dur.Day {
		o.suspect(severity, line, top.Lower, fmt.Sprintf("the longest is above %s: %s? %s?", dur.Format(dur.Day), dur.Format(top.Lower), dur.Format(top.Lower/1000)))
	}
}

// suspect is an LP204 finding.
func (o *Observation) suspect(severity finding.Severity, line int, value time.Duration, message string) {
	o.Findings = append(o.Findings, finding.Finding{
		ID: "LP204", Severity: severity, Line: line, Value: finding.Of(value),
		Message: message, Fix: "--unit s, ms, us or ns, whichever the numbers are in",
	})
}

// mean is that of the metric's own sum, or 0 where it has none.
func (f *family) mean(unit time.Duration) time.Duration {
	if f.noSum || sumsLowerEdges(f.name) {
		return 0
	}
	return meanOf(f.sum, f.count, unit)
}

func (f *family) allInFirstMilliBucket() bool {
	l := f.ordered[0]
	if len(l.order) != len(milliBounds) {
		return false
	}
	sorted := make([]float64, len(l.order))
	for i, at := range l.order {
		sorted[i] = l.bounds[at]
	}
	return slices.Equal(sorted, milliBounds) && l.sums[0] == 0 && l.sums[1] == l.sums[len(l.sums)-1]
}
