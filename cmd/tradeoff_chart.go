package cmd

import (
	"strconv"
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
		X:     chart.Axis{Label: "lease TTL (logarithmic)", Log: true, Format: secondsTick},
	}
	if known {
		floor, top := riskRange(t.curve)
		for _, v := range high {
			top = max(top, min(1, v))
		}
		for _, v := range low {
			if v >= leastDrawn && v < floor && v > floor*1e-3 {
				floor = v
			}
		}
		floor = max(floor, leastDrawn)
		c.Panels = append(c.Panels, chart.Panel{
			Share:  3,
			Y:      chart.Axis{Label: "false expiry per acquisition (logarithmic)", Log: true, Least: floor, Most: top},
			Series: []chart.Series{{Name: "estimate, lower and upper bound", X: x, Y: estimate, Low: low, High: high}},
		})
	}
	lower := chart.Panel{
		Share:  2,
		Y:      chart.Axis{Label: "worst takeover after a crash", Log: true, Format: secondsTick},
		Series: []chart.Series{{Name: "takeover", X: x, Y: takeover, Color: chart.Orange}},
	}
	if in := t.table.In; in.RTO.Known {
		lower.Levels = []chart.Mark{{At: in.RTO.Value.Seconds(), Name: "RTO " + dur.Format(in.RTO.Value)}}
	}
	c.Panels = append(c.Panels, lower)
	c.Region = chart.Region{From: s.TTLMin.Seconds(), To: x[len(x)-1], Name: "feasible"}
	if s.HasMax {
		c.Region.To = s.TTLMax.Seconds()
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

// secondsTick writes a value in seconds as a duration.
func secondsTick(v float64) string {
	if d := time.Duration(v*1e9 + 0.5); d >= time.Millisecond {
		return dur.Format(d.Round(time.Microsecond))
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + "s"
}
