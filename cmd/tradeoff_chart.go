package cmd

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/cmd/chart"
)

// tradeoffChart is the picture of --plot: false expiry above, worst takeover
// below, over one axis of TTLs.
func tradeoffChart(t tradeoffAnswer) chart.Chart {
	s := t.table.Solution
	var x, estimate, low, high, takeover []float64
	known := false
	for _, r := range t.curve {
		x = append(x, r.Lease.TTL.Seconds())
		estimate = append(estimate, r.Risk.Estimate)
		low, high = append(low, r.Risk.Lower), append(high, r.Risk.Sampled)
		takeover = append(takeover, r.TakeoverWorst.Seconds())
		known = known || r.Risk.Known
	}
	c := chart.Chart{
		Title: "What a " + modeText(t) + " lease costs, by its TTL",
		X:     chart.Axis{Label: "lease TTL (logarithmic)", Log: true, Time: true},
	}
	switch {
	case !known:
		c.Note = "no panel of false expiries: " + t.curve[0].Risk.Basis
	case t.curve[0].Risk.Basis != "":
		c.Note = "false expiry: " + t.curve[0].Risk.Basis
	}
	if known {
		floor, top := riskRange(t.curve)
		for _, v := range low {
			if v >= leastDrawn && v < floor && v > floor*1e-3 {
				floor = v
			}
		}
		floor = max(floor, leastDrawn)
		name := "estimate, lower and upper bound"
		if !slices.ContainsFunc(estimate, func(v float64) bool { return v >= floor }) {
			name = fmt.Sprintf("at most; the estimate is below %.0e", leastDrawn)
		}
		c.Panels = append(c.Panels, chart.Panel{
			Share:  3,
			Y:      chart.Axis{Label: "false expiry per acquisition (logarithmic)", Log: true, Least: floor, Most: top},
			Series: []chart.Series{{Name: name, X: x, Y: estimate, Low: low, High: high}},
		})
	}
	lower := chart.Panel{
		Share:  2,
		Y:      chart.Axis{Label: "worst takeover after a crash", Log: true, Time: true},
		Series: []chart.Series{{Name: "takeover", X: x, Y: takeover, Color: chart.Orange}},
	}
	if in := t.table.In; in.RTO.Known {
		lower.Levels = []chart.Mark{{At: in.RTO.Value.Seconds(), Name: "RTO " + dur.Format(in.RTO.Value)}}
	}
	c.Panels = append(c.Panels, lower)
	least, most := feasibleEnds(t)
	c.Region = chart.Region{From: least.Seconds(), To: x[len(x)-1], Name: "feasible"}
	if s.HasMax {
		c.Region.To = most.Seconds()
	}
	if !t.plan.Feasible {
		c.Title += ": nothing is feasible"
		c.Region.Bad, c.Region.Name = true, "no plan"
		if c.Region.From > c.Region.To { // too long for the RTO and too short for the holder
			c.Region.From, c.Region.To, c.Region.Name = max(c.Region.To, x[0]), c.Region.From, "no TTL fits"
		}
	}
	for _, r := range t.table.Rows {
		m := chart.Mark{At: r.Lease.TTL.Seconds()}
		for _, name := range r.Names {
			if m.Name != "" {
				m.Name += ", "
			}
			m.Name += name
			m.Strong = m.Strong || name == "T_min" || name == "T_max"
		}
		if r.Recommended {
			if m.Name != "" {
				m.Name += ", "
			}
			m.Name += "recommended"
			m.Strong = true
		}
		if m.Name != "" {
			m.Name += " " + dur.Format(r.Lease.TTL)
			c.Marks = append(c.Marks, m)
		}
	}
	return c
}

// leastDrawn is a probability below which no picture looks.
const leastDrawn = 1e-15

// feasibleEnds are T_min and T_max as the library can have them, in its whole
// quanta; T_max is 0 where there is none.
func feasibleEnds(t tradeoffAnswer) (least, most time.Duration) {
	least, most = t.table.Solution.TTLMin, max(0, t.table.Solution.TTLMax)
	for _, r := range t.table.Rows {
		if slices.Contains(r.Names, "T_min") {
			least = r.Lease.TTL
		}
		if slices.Contains(r.Names, "T_max") {
			most = r.Lease.TTL
		}
	}
	return least, most
}
