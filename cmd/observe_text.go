package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/spell"
)

func (a *app) writeObservations(all []seen, o observeOptions) error {
	switch a.output {
	case "json", "yaml":
		list := observationList{Schema: "lockplan/observation/v1", Sources: []observationDocument{}}
		for _, s := range all {
			list.Sources = append(list.Sources, s.document())
		}
		return a.writeDocument(list)
	case "csv", "markdown":
		rows := [][]string{{"file", "metric", "percentile", "at least", "at most", "interpolated", "plan with"}}
		for _, s := range all {
			for _, row := range s.rows(o.confidence) {
				rows = append(rows, append([]string{s.File, s.Metric}, row...))
			}
		}
		if a.output == "csv" {
			return a.writeCSV(rows)
		}
		a.markdownTable(rows[0], rows[1:])
		return nil
	}
	for i, s := range all {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.writeObservation(s, o)
	}
	return nil
}

// writeObservation leads with what the file is, then says what it can and
// cannot say.
func (a *app) writeObservation(s seen, o observeOptions) {
	head := []string{s.Format}
	if s.Metric != "" {
		head[0] += ", " + shown(s.Metric)
	}
	head = append(head, plural2(s.Series, "1 series", "%d series"), unitName(s.Unit), s.window(o))
	a.writeWrapped(shown(s.File)+": ", strings.Join(head, ", "))
	if s.Dist != nil && s.Dist.Count() > 0 {
		line := "samples " + spell.Grouped(s.Dist.Count())
		if s.Lost > 0 {
			line += fmt.Sprintf("   lost %s", spell.Grouped(s.Lost))
		}
		if mean := s.mean(); mean != nil {
			line += "   mean "
			if s.meanIsBound() {
				line += "at most "
			}
			line += dur.Format(*mean)
		}
		line += "   longest " + edgeText(s.longest())
		if s.Window != nil && *s.Window > 0 {
			line += fmt.Sprintf("   %.3g/s", float64(s.Dist.Count())/s.Window.Seconds())
		}
		fmt.Fprintln(a.out, line)
	}
	if len(s.quantiles) > 0 {
		fmt.Fprintln(a.out)
		rows := [][]string{{"percentile", "at least", "at most", "interpolated", "plan with (" + spell.Percent(o.confidence) + "% bound from samples)"}}
		a.writeColumns(append(rows, s.rows(o.confidence)...))
	}
	if s.Dist != nil && s.Dist.Count() > 0 {
		a.writeHistogram(s.Dist)
	}
	if s.tail != nil {
		a.writeWrapped("\ntail ", tailText(*s.tail, o.confidence))
	}
	a.writeFindings(s.findings)
}

// tailText says what the samples tell of what lies beyond them.
func tailText(t dist.Tail, confidence float64) string {
	verdict := t.Verdict
	if verdict == "" {
		verdict = "unclear"
	}
	return fmt.Sprintf("%s: shape xi %.2f, %s%% interval %.2f to %.2f, from %s samples above %s; above 0.25 is heavy",
		verdict, t.Xi, spell.Percent(confidence), t.Low, t.High, spell.Grouped(t.Above), dur.Format(t.Threshold))
}

// rows are the percentiles as text.
func (s seen) rows(float64) [][]string {
	var rows [][]string
	for _, q := range s.quantiles {
		if q.claim != nil {
			said := "claimed by the input"
			if s.Requests > 0 {
				said = "claimed, of " + spell.Grouped(s.Requests) + " requests"
			}
			rows = append(rows, []string{spell.Percentile(q.q), "", dur.Format(q.claim.Value), "", said})
			continue
		}
		interpolated := "-"
		if q.interval.HasInterpolated {
			interpolated = dur.Format(round3(q.interval.Interpolated))
		}
		bound := "nothing: too few samples"
		if q.rank > 0 {
			bound = fmt.Sprintf("%s (sample %s of %s)", edgeText(q.bound.Upper), spell.Grouped(q.rank), spell.Grouped(s.Dist.Count()))
		}
		rows = append(rows, []string{spell.Percentile(q.q), dur.Format(q.interval.Lower), edgeText(q.interval.Upper), interpolated, bound})
	}
	return rows
}

func edgeText(upper time.Duration) string {
	if upper == dist.Inf {
		return "unbounded"
	}
	return dur.Format(upper)
}

func unitName(unit string) string {
	switch unit {
	case "s":
		return "seconds"
	case "ms":
		return "milliseconds"
	case "us":
		return "microseconds"
	case "ns":
		return "nanoseconds"
	}
	return "durations"
}

func (s seen) window(o observeOptions) string {
	switch {
	case s.Window != nil:
		return "over " + dur.Format(*s.Window)
	case o.since != "":
		return "between two snapshots"
	case o.query.SinceStart:
		return "since the start"
	}
	return "no window"
}

func (s seen) mean() *time.Duration {
	if s.Mean != nil {
		return s.Mean
	}
	if s.Dist == nil || s.Dist.Count() == 0 {
		return nil
	}
	if m := s.Dist.Mean(); m.Upper != dist.Inf {
		return &m.Upper
	}
	return nil
}

// meanIsBound says that the mean is that of the upper edges: the input has no
// sum of its own, and knows its samples to their buckets only.
func (s seen) meanIsBound() bool { return s.Mean == nil }

// longest is the upper edge of the longest sample.
func (s seen) longest() time.Duration {
	upper := s.Dist.Max().Upper
	if s.Max != nil {
		upper = min(upper, s.Max.Upper)
	}
	return upper
}

// bars is the number of rows of the terminal histogram, barWidth the length
// of its longest bar.
const (
	bars     = 8
	barWidth = 40
)

// writeHistogram draws the samples in a few rows of equal ratio; each sample
// counts at its upper edge.
func (a *app) writeHistogram(d *dist.Dist) {
	rows := histogram(d)
	if len(rows) < 2 {
		return
	}
	most := uint64(0)
	for _, r := range rows {
		most = max(most, r.count)
	}
	fmt.Fprintln(a.out)
	for _, r := range rows {
		length := int((r.count*barWidth + most - 1) / most)
		label := "<= " + edgeText(r.edge)
		if r.edge == dist.Inf {
			label = "above"
		}
		fmt.Fprintln(a.out, strings.TrimRight(fmt.Sprintf("%-14s %-*s %s", label, barWidth, strings.Repeat("#", length), spell.Grouped(r.count)), " "))
	}
}

type bar struct {
	edge  time.Duration
	count uint64
}

// histogram gathers buckets into at most bars rows, cut at edges that exist.
func histogram(d *dist.Dist) []bar {
	var all []bar
	for b := range d.All() {
		if b.Count == 0 {
			continue
		}
		if n := len(all); n > 0 && all[n-1].edge == b.Hi {
			all[n-1].count += b.Count
		} else {
			all = append(all, bar{b.Hi, b.Count})
		}
	}
	for len(all) > bars {
		// Join the two neighbours whose edges are closest in ratio.
		best, ratio := 0, 0.0
		for i := 0; i+1 < len(all); i++ {
			if all[i+1].edge == dist.Inf {
				continue
			}
			if r := float64(max(all[i].edge, 1)) / float64(max(all[i+1].edge, 1)); r > ratio {
				best, ratio = i, r
			}
		}
		all[best+1].count += all[best].count
		all = append(all[:best], all[best+1:]...)
		if len(all) > 4096 { // too many distinct values to pick one by one
			all = thin(all)
		}
	}
	return all
}

// thin joins neighbours pairwise.
func thin(all []bar) []bar {
	out := all[:0]
	for i := 0; i+1 < len(all); i += 2 {
		out = append(out, bar{all[i+1].edge, all[i].count + all[i+1].count})
	}
	if len(all)%2 == 1 {
		out = append(out, all[len(all)-1])
	}
	return out
}

func above(d *dist.Dist) (n uint64) {
	for b := range d.All() {
		if b.Hi == dist.Inf {
			n += b.Count
		}
	}
	return n
}

func lastEdge(d *dist.Dist) (edge time.Duration) {
	for b := range d.All() {
		if b.Hi == dist.Inf {
			edge = max(edge, b.Lo)
		}
	}
	return edge
}

// document is an observation in the shape of the JSON contract.
func (s seen) document() observationDocument {
	d := observationDocument{File: s.File, Format: s.Format, Measures: string(s.Measures), Unit: s.Unit, Series: s.Series,
		Lost: s.Lost, Window: (*plan.Seconds)(s.Window), Mean: (*plan.Seconds)(s.mean()), MeanIsBound: s.mean() != nil && s.meanIsBound(),
		Percentiles: []percentileDocument{}, Findings: plan.Documents(s.findings)}
	if s.Metric != "" {
		d.Metric = &s.Metric
	}
	if s.Dist != nil {
		d.Samples = s.Dist.Count()
		if d.Samples > 0 {
			d.Max = edgeSeconds(s.longest())
		}
		if s.Window != nil && *s.Window > 0 {
			rate := float64(d.Samples) / s.Window.Seconds()
			d.Rate = &rate
		}
	}
	if s.tail != nil {
		d.Tail = &tailDocument{digits(s.tail.Xi), digits(s.tail.Low), digits(s.tail.High), s.tail.Verdict}
	}
	for _, q := range s.quantiles {
		row := percentileDocument{Q: q.q}
		if q.claim != nil {
			row.Upper = edgeSeconds(q.claim.Value)
		} else {
			row.Lower, row.Upper = edgeSeconds(q.interval.Lower), edgeSeconds(q.interval.Upper)
			if q.interval.HasInterpolated {
				row.Interpolated = edgeSeconds(q.interval.Interpolated)
			}
			if q.rank > 0 {
				row.Confidence = edgeSeconds(q.bound.Upper)
			}
		}
		d.Percentiles = append(d.Percentiles, row)
	}
	return d
}

// edgeSeconds is an edge in seconds, nil for an open one.
func edgeSeconds(d time.Duration) *plan.Seconds {
	if d == dist.Inf {
		return nil
	}
	s := plan.Seconds(d)
	return &s
}

func plural2(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}
