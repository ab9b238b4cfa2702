package cmd

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/cmd/chart"
)

// plotPoints is how many steps of a distribution are drawn at most.
const plotPoints = 2000

// writePlot draws the survival curve of an observation, P(time > x) on
// logarithmic axes: the band is what the buckets leave open.
func (a *app) writePlot(s seen, o observeOptions) error {
	if s.Dist == nil || s.Dist.Count() == 0 || len(edges(s.Dist)) == 0 {
		return fault.NoDataf("%s has no samples to draw", shown(s.File))
	}
	var out bytes.Buffer
	if err := survival(s, o).Write(&out, o.plot); err != nil {
		return err
	}
	return writeWhole(o.plot, out.Bytes())
}

func survival(s seen, o observeOptions) chart.Chart {
	n := float64(s.Dist.Count())
	// Up to the next edge the true curve lies between this edge's share and the
	// next one's; beyond the last finite edge nothing is known.
	line := chart.Series{Name: "share longer: upper bound, and what the buckets leave open", Steps: true}
	at := edges(s.Dist)
	least := 0.5 / n
	for i, x := range at {
		// No sample is longer than the last edge: there the curve falls to the
		// bottom, instead of ending one edge before.
		share := max(least, exceeding(s.Dist, x)/n)
		line.X, line.Y, line.High = append(line.X, x.Seconds()), append(line.Y, share), append(line.High, share)
		if i > 0 {
			line.Low[i-1] = share
		}
		line.Low = append(line.Low, 0)
	}
	left := at[0]
	for i, y := range line.Y { // what nearly every sample exceeds needs no room
		if y < 0.98 {
			left = at[max(0, i-1)]
			break
		}
	}
	right := max(at[len(at)-1], o.budget.Value).Seconds() * 1.3
	if last := line.Y[len(line.Y)-1]; last > least { // samples in an open bucket
		line.X, line.Y, line.High, line.Low = append(line.X, right), append(line.Y, last), append(line.High, last), append(line.Low, 0)
	}
	c := chart.Chart{
		Title:  shown(nameOf(s.Observation)) + ": " + spell.Grouped(s.Dist.Count()) + " samples, share longer than a time",
		X:      chart.Axis{Label: "time (logarithmic)", Log: true, Time: true, Least: left.Seconds(), Most: right},
		Panels: []chart.Panel{{Y: chart.Axis{Label: "share of samples longer (logarithmic)", Log: true, Least: least, Most: 1}, Share: 1, Series: []chart.Series{line}, Levels: []chart.Mark{{At: 1 - o.percentile, Name: spell.Percentile(o.percentile)}}}},
	}
	for _, q := range s.quantiles {
		if q.q != o.percentile || q.claim != nil {
			continue
		}
		if q.interval.Upper != dist.Inf {
			c.Marks = append(c.Marks, chart.Mark{At: q.interval.Upper.Seconds(), Name: spell.Percentile(q.q) + " at most " + dur.Format(round3(q.interval.Upper))})
		}
		if q.rank > 0 && q.bound.Upper != dist.Inf && q.bound.Upper != q.interval.Upper {
			c.Marks = append(c.Marks, chart.Mark{At: q.bound.Upper.Seconds(), Name: "plan with " + dur.Format(round3(q.bound.Upper)), Strong: true})
		}
	}
	if budget := o.budget.Value; budget > 0 {
		c.Marks = append(c.Marks, chart.Mark{At: budget.Seconds(), Name: "budget " + dur.Format(budget), Strong: true})
	}
	return c
}

// edges are the finite edges of a distribution, thinned where there are many.
func edges(d *dist.Dist) []time.Duration {
	var out []time.Duration
	for b := range d.All() {
		if b.Hi != dist.Inf && b.Hi > 0 && (len(out) == 0 || out[len(out)-1] < b.Hi) {
			out = append(out, b.Hi)
		}
	}
	if step := len(out)/plotPoints + 1; step > 1 {
		var some []time.Duration
		for i := 0; i < len(out); i += step {
			some = append(some, out[i])
		}
		out = append(some, out[len(out)-1])
	}
	return out
}

// exceeding is the number of samples that may be longer than x.
func exceeding(d *dist.Dist, x time.Duration) float64 {
	var n uint64
	for b := range d.All() {
		if b.Hi > x {
			n += b.Count
		}
	}
	return float64(n)
}
