package cmd

import (
	"fmt"
	"strings"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/spell"
)

// width is what every screen fits into.
const width = 80

// writePlanTable is the screen of ttl: the sum, the clocks, what a crash
// costs, the findings.
func (a *app) writePlanTable(p plan.Plan) {
	a.writeSum(p)
	if p.Feasible {
		fmt.Fprintln(a.out)
		a.writeReasons("clock", clocks(p))
		fmt.Fprintln(a.out)
		a.writeCosts(p)
	} else if p.Enough() {
		fmt.Fprintf(a.out, "\nno plan: %s\n", whyInfeasible(p))
		for _, r := range p.Relaxations {
			fmt.Fprintf(a.out, "  %s\n", r.Text)
		}
	} else {
		fmt.Fprintln(a.out, "\nnot enough data for a plan")
	}
	a.writeFindings(p.Findings)
}

// writeSum shows TTL_min as the sum of its terms, each with its source.
func (a *app) writeSum(p plan.Plan) {
	head := "TTL_min ? "
	if p.TTLMin != nil {
		head = "TTL_min " + dur.Format(*p.TTLMin) + " "
	}
	values, names := 0, 0
	for _, t := range p.Terms {
		values = max(values, len(termValue(p, t)))
		names = max(names, len(termName(p, t)))
	}
	sign := "="
	var aside []plan.Term
	for _, t := range p.Terms {
		if !t.Summed {
			aside = append(aside, t)
			continue
		}
		line := fmt.Sprintf("%*s%s %-*s  %-*s  ", len(head), head, sign, values, termValue(p, t), names, termName(p, t))
		a.writeWrapped(line, termSource(t))
		head, sign = strings.Repeat(" ", len(head)), "+"
	}
	for _, t := range aside {
		line := fmt.Sprintf("%*s  %-*s  %-*s  ", len(head), "", values, termValue(p, t), names, termName(p, t))
		why := "; not in the sum"
		if t.Name == "hold" {
			why += " (R3)"
		}
		a.writeWrapped(line, termSource(t)+why)
	}
}

// writeWrapped prints a line whose last part is folded under itself.
func (a *app) writeWrapped(start, rest string) {
	used := len([]rune(unpainted(start)))
	room := max(width-used, 24)
	indent := strings.Repeat(" ", used)
	for i, line := range fold(rest, room) {
		if i == 0 {
			fmt.Fprintln(a.out, strings.TrimRight(start+line, " "))
		} else {
			fmt.Fprintln(a.out, indent+line)
		}
	}
}

// writeCommand prints a command so that a shell takes it as it stands: folded
// lines end in a backslash, and one with quotes is not folded.
func (a *app) writeCommand(start, command string) {
	lines := []string{command}
	if !strings.ContainsAny(command, `'"`) {
		lines = fold(command, width-len(start)-len(` \`))
	}
	indent := "\n" + strings.Repeat(" ", len(start))
	fmt.Fprintln(a.out, start+strings.Join(lines, ` \`+indent))
}

// fold breaks text at spaces into lines of at most room characters; a longer
// word stays whole, and so does a number such as 2 995.
func fold(text string, room int) []string {
	lines := []string{""}
	var words []string
	for _, word := range strings.Fields(text) {
		if n := len(words); n > 0 && isGroup(word) && isDigit(words[n-1][len(words[n-1])-1]) {
			words[n-1] += " " + word
		} else {
			words = append(words, word)
		}
	}
	for _, word := range words {
		last := len(lines) - 1
		switch {
		case lines[last] == "":
			lines[last] = word
		case len([]rune(lines[last]))+1+len([]rune(word)) <= room:
			lines[last] += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// isGroup reports whether a word is the next three digits of a number.
func isGroup(word string) bool {
	digits := strings.TrimRight(word, ".,;:)")
	return len(digits) == 3 && isDigit(digits[0]) && isDigit(digits[1]) && isDigit(digits[2])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func termValue(p plan.Plan, t plan.Term) string {
	switch {
	case t.Name == "hold" && p.In.ThinHold:
		return "unknown"
	case t.Bound.Unbounded:
		return "unbounded"
	}
	return dur.Format(t.Bound.Value)
}

func termName(p plan.Plan, t plan.Term) string {
	switch t.Name {
	case "hold":
		return "critical section " + spell.Percentile(p.In.Percentile)
	case "pause":
		return "process pause"
	case "margin":
		return "network and scheduler"
	}
	return t.Name
}

// termSource is where a term came from, as short as it can be said.
func termSource(t plan.Term) string {
	b := t.Bound
	switch {
	case b.Samples > 0 && b.Longest:
		return fmt.Sprintf("%s of %s samples", b.Source, spell.Grouped(b.Samples))
	case b.Samples > 0:
		return fmt.Sprintf("%s, %s samples, %s %% bound", b.Source, spell.Grouped(b.Samples), spell.Percent(b.Confidence))
	case b.Kind == calc.Claimed:
		return b.Source + ", claimed"
	case b.Kind == calc.Assumed && !strings.Contains(b.Source, "assumed"):
		return b.Source + ", assumed"
	}
	return b.Source
}

// clock is a row of the table of clocks.
type clock struct{ name, value, why string }

// clocks are the rows of a feasible plan, each with its one-line reason.
func clocks(p plan.Plan) []clock {
	in, s := p.In, p.Solution
	rows := []clock{{"lease TTL", dur.Format(*p.TTL), whyTTL(p)}}
	switch {
	case p.AcquireWait == nil:
		rows = append(rows, clock{"acquire wait", "?", "give --deadline, or --queue-sla for asynchronous work"})
	case in.Deadline.Known:
		why := "deadline " + sourced(in.Deadline) + " - work " + sourced(in.Work) + " - reply " + sourced(in.Reply)
		if in.Confirm.Value > 0 {
			why += " - confirm " + sourced(in.Confirm)
		}
		rows = append(rows, clock{"acquire wait", dur.Format(*p.AcquireWait), why})
	default:
		rows = append(rows, clock{"acquire wait", dur.Format(*p.AcquireWait), "the queue SLA, " + in.QueueSLA.Source})
	}
	attempt, why := "?", "no margin and no wait bound one attempt"
	if p.AttemptTimeout != nil {
		attempt, why = dur.Format(*p.AttemptTimeout), "the margin: one call to the lock service"
	}
	if p.AcquireWait != nil && *p.AttemptTimeout == *p.AcquireWait {
		why = "one try may not outlive the wait"
	} else if p.AcquireAttempts != nil {
		why += fmt.Sprintf("; %d tries fit the wait", *p.AcquireAttempts)
	}
	rows = append(rows, clock{"attempt timeout", attempt, why})
	if s.Mode == calc.Fixed {
		rows = append(rows, clock{"renewal", "none", "the hold fits a fixed lease" + renewedInstead(p)})
		rows = append(rows, clock{"stop work", dur.Format(*p.StopWork), "later, a write may land after the lease"})
	} else {
		rows = append(rows,
			clock{"renew interval", dur.Format(*p.RenewInterval), fmt.Sprintf("TTL / %s; %s in a row may fail during a full pause", in.Ratio, plural(*p.RenewFailures, "renewal"))},
			clock{"renew timeout", dur.Format(*p.RenewTimeout), "one whole renew call with its retries"},
			clock{"stop work", dur.Format(*p.StopWork), "after the last confirmed renewal was sent"})
	}
	if p.MaxHold == nil {
		return append(rows, clock{"maximum hold", "?", "nothing is known of the hold: give --max-hold, --p99 or --hold"})
	}
	return append(rows, clock{"maximum hold", dur.Format(*p.MaxHold), whyMaxHold(p)})
}

// sourced is a value, with where it was said unless that is its own flag.
func sourced(b calc.Bound) string {
	if b.Source == "" || strings.HasPrefix(b.Source, "--") || strings.HasPrefix(b.Source, "assumed") {
		return dur.Format(b.Value)
	}
	return dur.Format(b.Value) + " (" + b.Source + ")"
}

func whyMaxHold(p plan.Plan) string {
	if p.Solution.Mode == calc.Renewed && p.In.MaxHold.Known {
		return p.MaxHoldSource + ": a stuck task ends here"
	}
	return p.MaxHoldSource
}

func whyTTL(p plan.Plan) string {
	in, s := p.In, p.Solution
	why := string(s.Mode) + " lease"
	if s.AutoWhy != "" {
		why += ", since " + s.AutoWhy
	}
	if p.TTLWhy != "" {
		why += "; " + p.TTLWhy
	}
	if s.HasMax {
		return fmt.Sprintf("%s; %s to %s meets the RTO of %s", why, dur.Format(s.TTLMin), dur.Format(s.TTLMax), sourced(in.RTO))
	}
	if s.Lease.TTL > s.TTLMin && p.TTLWhy == "" {
		why += "; " + dur.Format(s.TTLMin) + " rounded up"
	}
	return why + "; no --rto, so the shortest is taken"
}

// renewedInstead says what a renewed lease would need, where it could be had.
func renewedInstead(p plan.Plan) string {
	in := p.In
	in.Mode, in.RTO = calc.Renewed, calc.Bound{}
	if other := calc.Solve(in); other.Solved {
		return " (a renewed one needs " + dur.Format(other.TTLMin) + ")"
	}
	return ""
}

func whyInfeasible(p plan.Plan) string {
	for _, f := range p.Findings {
		if f.Severity == finding.Error && (f.ID == "LP103" || f.ID == "LP301") {
			return f.Message
		}
	}
	return "see the findings"
}

// writeReasons prints rows of a name, a value and a reason that folds.
func (a *app) writeReasons(head string, rows []clock) {
	names, values := len(head), len("value")
	for _, r := range rows {
		names, values = max(names, len(r.name)), max(values, len(r.value))
	}
	for _, r := range append([]clock{{head, "value", "why"}}, rows...) {
		a.writeWrapped(fmt.Sprintf("%-*s  %-*s  ", names, r.name, values, r.value), r.why)
	}
}

// writeCosts says what a crash, a pause and an outage do to this plan.
func (a *app) writeCosts(p plan.Plan) {
	crash := "not known without the period of the schedule (--detect)"
	if p.TakeoverWorst != nil {
		crash = fmt.Sprintf("%s worst, %s after a clean release", dur.Format(*p.TakeoverWorst), dur.Format(*p.TakeoverClean))
	}
	if p.In.RTO.Known {
		crash += fmt.Sprintf("; RTO %s met with %s to spare", dur.Format(p.In.RTO.Value), dur.Format(p.In.RTO.Value-*p.TakeoverWorst))
	}
	rows := []clock{{"after a crash", "", crash}}
	if p.PauseSurvived != nil && p.Solution.Mode == calc.Fixed {
		rows = append(rows, clock{"pause survived", "", dur.Format(*p.PauseSurvived) + " on top of a " + spell.Percentile(p.In.Percentile) + " hold"})
	} else if p.PauseSurvived != nil {
		rows = append(rows, clock{"pause survived", "", dur.Format(*p.PauseSurvived) + " alone, " + dur.Format(p.In.Pause.Value) + " on top of " + plural(*p.RenewFailures, "failed renewal")})
	}
	if p.OutageSurvived != nil {
		rows = append(rows, clock{"outage survived", "", dur.Format(*p.OutageSurvived) + " of the lock service alone"})
	}
	if p.RenewalsPerSecond != nil && p.In.Holders > 0 {
		rows = append(rows, clock{"renewal load", "", fmt.Sprintf("%.3g calls/s for %d holders", *p.RenewalsPerSecond, p.In.Holders)})
	}
	if p.Risk.Upper != nil {
		rows = append(rows, clock{"false expiry", "", riskText(p.Risk)})
	}
	for _, r := range rows {
		a.writeWrapped(fmt.Sprintf("%-15s  ", r.name), r.why)
	}
}

func riskText(r plan.Risk) string {
	text := "at most " + chanceText(*r.Upper) + " per acquisition"
	if r.FalseExpiry != nil && *r.FalseExpiry < *r.Upper {
		text = chanceText(*r.FalseExpiry) + " per acquisition, at most " + chanceText(*r.Upper)
	}
	if r.Why != "" {
		text += " (" + r.Why + ")"
	}
	return text
}

// writeFindings prints each finding in two lines: what is wrong, what to do.
func (a *app) writeFindings(found []finding.Finding) {
	if len(found) > 0 {
		fmt.Fprintln(a.out)
	}
	for _, f := range found {
		start := fmt.Sprintf("%-7s %s  ", f.Severity, f.ID)
		a.writeWrapped(a.paint(f.Severity, start), placeOf(f)+f.Message)
		if f.Fix != "" {
			a.writeWrapped(strings.Repeat(" ", len(start)), "hint: "+f.Fix)
		}
	}
}

// placeOf is "file:line: " where a finding has one.
func placeOf(f finding.Finding) string {
	switch {
	case f.File == "":
		return ""
	case f.Line == 0:
		return shown(f.File) + ": "
	}
	return fmt.Sprintf("%s:%d: ", shown(f.File), f.Line)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
