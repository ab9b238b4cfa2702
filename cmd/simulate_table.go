package cmd

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/sim"
	"github.com/lockplan/lockplan/calc/spell"
)

// writeSimulation prints the answer in the form of -o.
func (a *app) writeSimulation(s simulation) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(simulationDocument(s))
	case "csv":
		return a.writeCSV(simulationCSV(s))
	case "markdown":
		a.writeSimulationMarkdown(s)
	default:
		a.writeSimulationTable(s)
	}
	return nil
}

// writeUnplayed prints in the form of -o that there is no plan to play.
func (a *app) writeUnplayed(o simulateOptions, p plan.Plan) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(unplayedDocument(o, p))
	case "csv":
		return a.writeCSV(unplayedCSV())
	case "markdown":
		a.writePlanMarkdown(p)
	default:
		a.writeFindings(p.Findings)
	}
	return nil
}

// writeSimulationTable is the screen: the verdict, the scenarios at the
// bounds and beyond, what was counted, the findings, the story.
func (a *app) writeSimulationTable(s simulation) {
	a.writeWrapped("", simulationHead(s))
	if text := s.reduced(); text != "" {
		a.writeWrapped("", text)
	}
	for _, f := range factors {
		title := "at the plan's bounds"
		if f != 1 {
			title = fmt.Sprintf("at %g times the bounds", f)
		}
		fmt.Fprintf(a.out, "\n%s\n", title)
		rows := [][]string{{"scenario", "lost", "overlaps", "longest", "cut", "waited", "takeover", verdictHead(f)}}
		a.writeColumns(append(rows, scenarioRows(s, f)...))
	}
	headed := false
	for _, r := range s.results {
		for _, p := range r.Promises {
			if r.Factor == 1 {
				if !headed {
					fmt.Fprintln(a.out, "\npromises at the plan's bounds")
					headed = true
				}
				a.writeWrapped(fmt.Sprintf("%-6s  %-15s  ", keptText(p.Kept), r.Scenario.Name), p.Text+": "+p.Seen)
			}
		}
	}
	if lines := countedLines(s); len(lines) > 0 {
		fmt.Fprintln(a.out)
		for _, c := range lines {
			a.writeWrapped(fmt.Sprintf("%-14s  ", c.name), c.why)
		}
	}
	if rows := contentionRows(s); rows != nil {
		fmt.Fprintln(a.out)
		a.writeColumns(append([][]string{{"keys", "load", "mean wait", "P50", "P99", "got it", "callers waiting"}}, rows...))
		fmt.Fprintln(a.out)
		rows = [][]string{{"one key, wait", "got it", "P99", "callers waiting", "when the lock is stuck"}}
		for _, f := range s.failFast {
			row := []string{dur.Format(f.wait), "?", "?", "?", countText(rounded3(f.stuck))}
			if f.played {
				row[1], row[2], row[3] = percentText(f.success), f.waitText(f.p99, 0.99), countText(rounded3(f.waiting))
			}
			rows = append(rows, row)
		}
		a.writeColumns(rows)
		for _, note := range contentionNotes(s) {
			a.writeWrapped("", note)
		}
	}
	a.writeFindings(s.findings)
	if len(s.story) > 0 {
		fmt.Fprintln(a.out)
		for i, line := range s.story {
			if i == 0 {
				a.writeWrapped("", line)
			} else {
				a.writeWrapped("  ", line)
			}
		}
	}
}

func verdictHead(f float64) string {
	if f == 1 {
		return "verdict"
	}
	return "formula says"
}

func keptText(kept bool) string {
	if kept {
		return "kept"
	}
	return "BROKEN"
}

// simulationHead is the answer in a sentence.
func simulationHead(s simulation) string {
	broken := 0
	for _, r := range s.results {
		if r.Factor == 1 && !r.Kept() {
			broken++
		}
	}
	text := fmt.Sprintf("%s lease of %s", s.mode, dur.Format(s.plan.Lease.TTL))
	if s.name != "" {
		text = shown(s.name) + ": " + text
	}
	if broken == 0 {
		text += ": every promise is kept at the stated bounds"
	} else {
		text += fmt.Sprintf(": promises are broken in %s", plural(broken, "scenario"))
	}
	upTo := ""
	if s.reduced() != "" {
		upTo = "up to "
	}
	return text + fmt.Sprintf(" (%s%s trials each, seed %d)", upTo, spell.Grouped(s.trials), s.seed)
}

func scenarioRows(s simulation, factor float64) [][]string {
	var rows [][]string
	for i := range s.results {
		r := &s.results[i]
		if r.Factor != factor {
			continue
		}
		verdict := "kept"
		if !r.Kept() {
			verdict = "BROKEN"
		}
		if !r.Scenario.Promised && r.Overlaps > 0 {
			switch {
			case s.fencing:
				verdict = "late writes refused"
			case r.Scenario.Renewed:
				verdict = "needs stop-work"
			default:
				verdict = "needs fencing"
			}
		}
		if factor != 1 {
			verdict = predictedText(r)
		}
		longest, takeover := "-", "-"
		if r.Overlaps > 0 {
			longest = short(r.WorstOverlap)
		}
		if r.Takeover.Count() > 0 {
			takeover = short(r.Takeover.Worst())
		}
		rows = append(rows, []string{r.Scenario.Name, spell.Grouped(r.Lost), spell.Grouped(r.Overlaps), longest, spell.Grouped(r.Cut), spell.Grouped(r.Interrupted), takeover, verdict})
	}
	return rows
}

// predictedText holds what was seen against the formula.
func predictedText(r *sim.Result) string {
	if r.Predicted == nil {
		return "-"
	}
	text := "survives"
	if *r.Predicted {
		text = "fails"
	}
	if r.Needed > 0 {
		return text + "; too few trials to see it: " + spell.Grouped(r.Needed) + " needed"
	}
	if *r.Predicted != r.Failed() {
		return text + ", and it does not"
	}
	return text + ", as seen"
}

// countedLines are the everyday figures.
func countedLines(s simulation) []clock {
	var out []clock
	if f := s.falsely; f != nil {
		out = append(out, clock{"false expiry", "", fmt.Sprintf("%s per acquisition (99 %% interval %s to %s, %s of %s counted)",
			measured(f.counted.Estimate()), measured(f.counted.Low), measured(f.counted.High), spell.Grouped(f.counted.Hits), spell.Grouped(f.counted.Trials))})
		if f.rare != nil {
			out = append(out, clock{"", "", fmt.Sprintf("%s by importance sampling (99 %% interval %s to %s)", measured(f.rare.Value), measured(f.rare.Low), measured(f.rare.High))})
		}
		text := fmt.Sprintf("%s by the formula, at most %s", chanceText(f.formula.Estimate), chanceText(f.formula.Sampled))
		if f.formula.Basis != "" {
			text += " (" + f.formula.Basis + ")"
		}
		out = append(out, clock{"", "", text})
	}
	for i := range s.results {
		r := &s.results[i]
		if r.Factor != 1 {
			continue
		}
		switch r.Scenario.Name {
		case "normal":
			q := queue{success: float64(r.Acquired) / float64(max(1, r.Wanted)), wait: s.plan.Wait}
			out = append(out, clock{"acquire", "", fmt.Sprintf("%s of the calls of %d competing callers got it; wait P50 %s, P99 %s",
				percentText(q.success), s.plan.Callers, q.waitText(r.Wait.Quantile(0.5), 0.5), q.waitText(r.Wait.Quantile(0.99), 0.99))})
			if held := r.Held.Seconds(); s.mode == calc.Renewed && held > 0 {
				out = append(out, clock{"renewals", "", measured(float64(r.Renewals)/held) + " a second and holder"})
			}
		case "unwatched":
			out = append(out, clock{"cut off", "", lossText(s.plan, r)})
		case "crash":
			out = append(out, clock{"takeover", "", fmt.Sprintf("median %s, P99 %s, worst %s; predicted at most %s",
				short(r.Takeover.Quantile(0.5)), short(r.Takeover.Quantile(0.99)), beside(r.Takeover.Worst(), s.plan.PredictedTakeover(1)-1), dur.Format(s.plan.PredictedTakeover(1)-1))})
		}
	}
	return out
}

// lossText says what the library's own signal is worth (L1).
func lossText(p sim.Plan, r *sim.Result) string {
	text := "the library never tells a holder that is cut off"
	if p.Loss > 0 {
		text = fmt.Sprintf("the library tells a holder that is cut off up to %s after its last renewal, others own the lock after %s", short(p.Loss), short(p.FreeMin))
	}
	if r.Overlaps == 0 {
		return text + ": it stops in time"
	}
	return text + fmt.Sprintf(": without the stop-work point both write for up to %s; predicted %s", short(r.WorstOverlap), short(p.LossOverlap(r.Factor)))
}

// beside is a duration in a few digits, rounded up, and in all of them where
// that would put it above a limit that it keeps.
func beside(d, limit time.Duration) string {
	if d <= limit && threeDigits(d) > limit {
		return dur.Format(d)
	}
	return short(d)
}

// waitText is a percentile of the wait; who gave up would have waited longer.
func (q queue) waitText(d time.Duration, share float64) string {
	if q.success < share {
		return ">= " + dur.Format(q.wait)
	}
	return short(d)
}

// contentionNotes say what the tables of contention count.
func contentionNotes(s simulation) []string {
	whose := s.detect.Source
	if s.detect.Kind == calc.Computed {
		whose = "the margin: no --detect"
	}
	notes := []string{
		"load: arrivals times the mean hold, holds cut at the maximum hold",
		fmt.Sprintf("a waiter knows %s after a release that the lock is free (%s); who gives up counts for as long as the wait was", dur.Format(s.detect.Value), whose),
	}
	if one := s.contention[0]; math.IsInf(one.meanWait, 1) {
		notes = append(notes, fmt.Sprintf("for ever: with that delay one key is taken for %.4g s in every second, so its queue does not end unless callers give up", one.taken))
	}
	return notes
}

// measured is a measured number, with three digits.
func measured(v float64) string { return strconv.FormatFloat(rounded3(v), 'g', -1, 64) }

// percentText is rounded down; what is short of a figure by the last bits of a
// float is that figure.
func percentText(share float64) string {
	return strconv.FormatFloat(math.Floor(share*1000+1e-6)/10, 'f', -1, 64) + " %"
}

func contentionRows(s simulation) [][]string {
	var rows [][]string
	for _, c := range s.contention {
		mean, p50, p99, success, threads := "for ever", "?", "?", "?", "?"
		if !math.IsInf(c.meanWait, 1) {
			mean = short(time.Duration(c.meanWait * 1e9))
		}
		if c.played {
			p50, p99, success, threads = c.waitText(c.p50, 0.5), c.waitText(c.p99, 0.99), percentText(c.success), countText(rounded3(c.waiting))
		}
		rows = append(rows, []string{strconv.Itoa(c.keys), strconv.FormatFloat(math.Ceil(c.utilisation*1000-1e-6)/10, 'f', -1, 64) + " %", mean, p50, p99, success, threads})
	}
	return rows
}

// writeSimulationMarkdown prints the scenarios as tables.
func (a *app) writeSimulationMarkdown(s simulation) {
	fmt.Fprintf(a.out, "%s\n\n", markdownText(simulationHead(s)))
	if text := s.reduced(); text != "" {
		fmt.Fprintf(a.out, "%s\n\n", markdownText(text))
	}
	for _, f := range factors {
		fmt.Fprintf(a.out, "At %g times the bounds:\n\n", f)
		a.markdownTable([]string{"scenario", "leases lost", "overlaps", "longest overlap", "holds cut", "waited for a renewal", "worst takeover", verdictHead(f)}, scenarioRows(s, f))
	}
	var rows [][]string
	for _, r := range s.results {
		for _, p := range r.Promises {
			if r.Factor == 1 {
				rows = append(rows, []string{keptText(p.Kept), r.Scenario.Name, p.Text, p.Seen})
			}
		}
	}
	a.markdownTable([]string{"verdict", "scenario", "promise", "seen"}, rows)
	for _, line := range s.story {
		fmt.Fprintf(a.out, "- %s\n", markdownText(line))
	}
}
