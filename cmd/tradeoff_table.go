package cmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/portable"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/calc/tradeoff"
)

// writeTradeoffTable is the screen: what each TTL risks, what it costs, the
// chart, the findings.
func (a *app) writeTradeoffTable(t tradeoffAnswer) {
	p := t.plan
	fmt.Fprintln(a.out, tradeoffHead(t))
	fmt.Fprintln(a.out)
	a.writeColumns(append([][]string{
		{"", "TTL", "holds that", "false expiry per", "", "a day", "pause", "outage"},
		{"", "", "fit", "acquisition", "at most", "", "survived", "survived"},
	}, riskRows(t)...))
	for _, note := range riskNotes(t) {
		a.writeWrapped("", note)
	}
	fmt.Fprintln(a.out)
	a.writeColumns(append([][]string{
		{"", "TTL", "takeover", "", "RTO", "renewals", "callers", "verdict"},
		{"", "", "worst", "mean", "", "per s", "blocked", ""},
	}, costRows(t)...))
	fmt.Fprintln(a.out)
	for _, line := range terminalChart(t) {
		fmt.Fprintln(a.out, line)
	}
	if lines := optimumText(t); lines != nil {
		fmt.Fprintln(a.out)
		for _, line := range lines {
			a.writeWrapped("", line)
		}
	}
	a.writeFindings(p.Findings)
}

// tradeoffHead is the answer first.
func tradeoffHead(t tradeoffAnswer) string {
	s := t.table.Solution
	least, most := feasibleEnds(t)
	switch {
	case s.Solved && !t.plan.Feasible:
		return fmt.Sprintf("no feasible plan, though a %s lease of %s fits: see the findings", s.Mode, dur.Format(s.Lease.TTL))
	case s.Solved && s.HasMax:
		return fmt.Sprintf("%s lease of %s; feasible from %s to %s", s.Mode, dur.Format(s.Lease.TTL), dur.Format(least), dur.Format(most))
	case s.Solved:
		return fmt.Sprintf("%s lease of %s; feasible from %s on, no --rto", s.Mode, dur.Format(s.Lease.TTL), dur.Format(least))
	}
	return fmt.Sprintf("no feasible %s lease: at least %s is needed, at most %s meets the RTO", s.Mode, dur.Format(least), dur.Format(most))
}

func mark(r tradeoff.Row) string {
	if r.Recommended {
		return ">"
	}
	return ""
}

func riskRows(t tradeoffAnswer) [][]string {
	var rows [][]string
	for _, r := range t.table.Rows {
		estimate, most, perDay, outage := "?", "?", "?", "-"
		if r.Risk.Known {
			estimate, most = chanceText(r.Risk.Estimate), chanceText(r.Risk.Sampled)
		}
		if r.PerDay != nil {
			perDay = countText(*r.PerDay)
		}
		if r.OutageSurvived != nil {
			outage = dur.Format(*r.OutageSurvived)
		}
		rows = append(rows, []string{mark(r), dur.Format(r.Lease.TTL), covered(r), estimate, most, perDay, survived(r.PauseSurvived), outage})
	}
	return rows
}

func costRows(t tradeoffAnswer) [][]string {
	var rows [][]string
	for _, r := range t.table.Rows {
		rto, renewals, blocked := "?", "-", "?"
		switch {
		case r.RTOSpare == nil:
		case *r.RTOSpare >= 0:
			rto = "met"
		default:
			rto = "+" + dur.Format(-*r.RTOSpare)
		}
		if r.RenewalsPerSecond != nil {
			renewals = strconv.FormatFloat(*r.RenewalsPerSecond, 'g', 3, 64)
		}
		if r.CallersBlocked != nil {
			blocked = countText(*r.CallersBlocked)
		}
		rows = append(rows, []string{mark(r), dur.Format(r.Lease.TTL), dur.Format(r.TakeoverWorst), dur.Format(r.TakeoverMean), rto, renewals, blocked, verdictText(r)})
	}
	return rows
}

// verdictText is yes or no, why, and the rules of thumb that say this TTL.
func verdictText(r tradeoff.Row) string {
	text := "yes"
	switch {
	case r.Recommended:
		text = "recommended"
	case r.BelowMin != nil:
		text = "no: too short"
	case !r.Feasible:
		text = "no: RTO"
	}
	if len(r.Names) > 0 {
		text += " (" + strings.Join(r.Names, ", ") + ")"
	}
	return text
}

// riskNotes say what the figures rest on.
func riskNotes(t tradeoffAnswer) []string {
	var notes []string
	seen := map[string]bool{}
	for _, r := range t.table.Rows {
		for _, b := range strings.Split(r.Risk.Basis, "; ") {
			if b != "" && !seen[b] {
				seen[b] = true
				notes = append(notes, "false expiry: "+b)
			}
		}
	}
	if t.table.In.AcquireRate == 0 {
		notes = append(notes, "a day, callers blocked: --rate 50/s")
	}
	return notes
}

func survived(d time.Duration) string {
	if d < 0 {
		return "none"
	}
	return dur.Format(d)
}

// covered is the share of holds that fit for certain, rounded down.
func covered(r tradeoff.Row) string {
	if r.CoveredLow == nil {
		return "?"
	}
	const places = 1e4
	return strconv.FormatFloat(math.Floor(*r.CoveredLow*100*places+1e-6)/places, 'f', -1, 64) + "%"
}

// chanceText prints a probability with two digits, rounded up.
func chanceText(p float64) string {
	switch {
	case p <= 0:
		return "0"
	case p < 1e-15:
		return "< 1e-15"
	case p >= 1:
		return "1"
	}
	return strconv.FormatFloat(roundUp(p, 2), 'g', -1, 64)
}

// countText prints an expected number with about three digits.
func countText(n float64) string {
	switch {
	case n >= 1000 && n < 1e15:
		return spell.Grouped(uint64(math.Ceil(n - 1e-6)))
	case n > 0 && n < 1e-15:
		return "< 1e-15"
	}
	return strconv.FormatFloat(n, 'g', 3, 64)
}

// The size of the terminal chart.
const (
	chartWidth  = 60
	chartHeight = 12
)

// terminalChart draws false expiry (*) and worst takeover (o) against TTL in
// plain characters.
func terminalChart(t tradeoffAnswer) []string {
	cells := make([][]byte, chartHeight)
	for i := range cells {
		cells[i] = []byte(strings.Repeat(" ", chartWidth))
	}
	rows := t.curve
	first, last := portable.Log(float64(rows[0].Lease.TTL)), portable.Log(float64(rows[len(rows)-1].Lease.TTL))
	column := func(ttl time.Duration) int {
		return min(chartWidth-1, max(0, int(float64((portable.Log(float64(ttl))-first)/(last-first)*(chartWidth-1))+0.5)))
	}
	level := func(share float64) int {
		return min(chartHeight-1, max(0, int(float64((1-share)*(chartHeight-1))+0.5)))
	}
	low, high := riskRange(rows)
	drawn := false
	risk := func(mark byte, figure func(tradeoff.Row) float64) {
		for _, r := range rows {
			if v := figure(r); r.Risk.Known && high > 0 && v >= low {
				cells[level(portable.Log(v/low)/portable.Log(high/low))][column(r.Lease.TTL)] = mark
				drawn = mark == '*' || drawn
			}
		}
	}
	risk('-', func(r tradeoff.Row) float64 { return r.Risk.Sampled })
	most := rows[len(rows)-1].TakeoverWorst.Seconds()
	for _, r := range rows {
		cells[level(r.TakeoverWorst.Seconds()/most)][column(r.Lease.TTL)] = 'o'
	}
	risk('*', func(r tradeoff.Row) float64 { return r.Risk.Estimate })
	heading := "* false expiry (log)  - at most"
	switch {
	case high == 0 && rows[0].Risk.Known:
		heading = "false expiry: below 1e-15 throughout"
	case high == 0:
		heading = "false expiry: not known"
	case !drawn:
		heading = "- false expiry at most; estimate < 1e-15"
	}
	lines := []string{fmt.Sprintf("%-40s%32s", heading, "o worst takeover")}
	for i, line := range cells {
		left, right := "", ""
		switch i {
		case 0:
			left, right = shortChance(high), dur.Format(rows[len(rows)-1].TakeoverWorst)
		case chartHeight - 1:
			left, right = shortChance(low), "0s"
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%7s |%s| %s", left, line, right), " "))
	}
	axis := []byte(strings.Repeat("-", chartWidth))
	s := t.table.Solution
	axis[column(s.TTLMin)] = '['
	if s.HasMax && s.TTLMax > 0 {
		axis[column(s.TTLMax)] = ']'
	}
	if t.plan.Feasible {
		axis[column(s.Lease.TTL)] = '^'
	}
	lines = append(lines, fmt.Sprintf("%7s +%s+", "", axis))
	from, to := dur.Format(rows[0].Lease.TTL), dur.Format(rows[len(rows)-1].Lease.TTL)
	legend := "[ T_min  ^ recommended  ] T_max"
	if !t.plan.Feasible {
		legend = "[ T_min  ] T_max: nothing is feasible"
	}
	space := max(2, chartWidth+2-len(from)-len(legend)-len(to))
	lines = append(lines, strings.TrimRight(fmt.Sprintf("%8s%s%s%s%s%s", "", from, strings.Repeat(" ", space/2), legend, strings.Repeat(" ", space-space/2), to), " "))
	return lines
}

// shortChance is a power of ten.
func shortChance(p float64) string {
	if p == 0 {
		return ""
	}
	return strconv.FormatFloat(p, 'g', 1, 64)
}

// riskRange is the decades that a chart of the risk and its bound spans; 0, 0
// where none is known or all of it is too small to draw.
func riskRange(rows []tradeoff.Row) (low, high float64) {
	for _, r := range rows {
		if r.Risk.Known {
			high = max(high, r.Risk.Estimate, r.Risk.Sampled)
		}
	}
	if high < leastDrawn {
		return 0, 0
	}
	high = math.Pow(10, math.Ceil(math.Log10(high)-1e-9))
	low = high
	for _, r := range rows {
		for _, v := range []float64{r.Risk.Estimate, r.Risk.Sampled} {
			if r.Risk.Known && v >= leastDrawn {
				low = min(low, v)
			}
		}
	}
	low = math.Pow(10, math.Floor(math.Log10(low)+1e-9))
	if low == high {
		low = high / 10
	}
	return low, high
}

// modeText is the kind of lease of every row.
func modeText(t tradeoffAnswer) string {
	if t.table.Solution.Mode == calc.Renewed {
		return "renewed"
	}
	return "fixed"
}
