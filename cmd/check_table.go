package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
)

// writeTarget is the screen of one target: what it survives, the findings,
// what was not checked.
func (a *app) writeTarget(t target) {
	what := ""
	if t.planned {
		what = ", no config: its plan"
	}
	if t.line > 0 && strings.Contains(t.name, "#") {
		what += fmt.Sprintf(", from line %d", t.line)
	}
	if name := t.Run.Library.Name(); name != t.name || what != "" {
		what = " (" + name + what + ")"
	}
	fmt.Fprintf(a.out, "%s%s\n", shown(t.name), what)
	if rows := survives(t); len(rows) > 0 {
		a.writeReasons("consequence", rows)
	}
	if t.probes != nil {
		fmt.Fprintln(a.out)
		a.writeProbes(t.probes)
	}
	a.writeFindings(t.Findings)
	if rows := missing(t.NotChecked); len(rows) > 0 {
		fmt.Fprintln(a.out)
		for _, row := range rows {
			a.writeWrapped("not checked: ", row)
		}
	}
	switch {
	case len(t.Findings) == 0 && len(t.Unknown) > 0:
		fmt.Fprintln(a.out, "\nno finding as far as the values are known")
	case len(t.Findings) == 0 && len(t.setAside) > 0:
		fmt.Fprintln(a.out, "\nno finding but what is set aside")
	case len(t.Findings) == 0:
		fmt.Fprintln(a.out, "\nno finding")
	}
	for _, s := range t.setAside {
		a.writeWrapped("set aside "+s.Finding.ID+": ", shown(s.Finding.Message)+"; "+s.Why())
	}
}

// missing groups the rules that were not checked by what they lack first.
func missing(notChecked []string) []string {
	var order, rows []string
	rules := map[string][]string{}
	for _, line := range notChecked {
		name, need, ok := strings.Cut(line, ": needs ")
		if !ok {
			rows = append(rows, shown(line))
			continue
		}
		first, _, cut := strings.Cut(need, "), ")
		if cut {
			first += ")"
		}
		if rules[first] == nil {
			order = append(order, first)
		}
		id, _, _ := strings.Cut(name, " ")
		rules[first] = append(rules[first], id)
	}
	for _, need := range order {
		rows = append(rows, strings.Join(rules[need], ", ")+" without "+need)
	}
	return rows
}

// survives are the consequences that apply, the answer first.
func survives(t target) []clock {
	c := t.Consequences
	var rows []clock
	add := func(name string, d *time.Duration, why string) {
		if d != nil {
			rows = append(rows, clock{name, dur.Format(max(0, *d)), why})
		}
	}
	lease := "fixed, nothing renews it"
	if c.Interval != nil {
		lease = "renewed every " + dur.Format(*c.Interval)
	}
	add("lease", c.TTL, lease)
	retries := "worst, with the client's own retries"
	switch {
	case c.CallWorst != nil && c.Call != nil && t.Run.Setup.Configured.Known:
		add("one call", c.CallWorst, retries+" and late timers; a renewal "+dur.Format(*c.Call)+" by its settings")
	case t.Run.Own.Renewal != nil:
		if command := t.Run.Setup.Command; command.Known {
			add("one call", &command.Value, retries)
		}
		add("one renewal", t.Run.Own.Renewal, "worst")
	case t.Run.Own.CallUnknown:
		rows = append(rows, clock{"one renewal", "not known", "the client's own timeout, which no key here says"})
	default:
		add("one call", c.Call, retries)
	}
	if c.Failures != nil {
		why := "in a row, beside a pause of " + dur.Format(t.Run.In.Pause.Value)
		if t.Run.Survives.Failures != nil {
			why = "in a row, by the library's own rules"
		}
		count := fmt.Sprint(*c.Failures)
		if *c.Failures < 0 {
			count, why = "none", "not even the first renewal is sure to land in time"
		}
		rows = append(rows, clock{"failed renewals", count, why})
	}
	add("outage survived", c.Outage, "of the lock service alone")
	add("pause survived", c.Pause, "of the holder alone")
	add("skew survived", c.SkewSurvived, "between two clocks")
	add("hold covered", c.Hold, "longest that is allowed")
	takeover := "worst until a waiter owns the lock"
	if terms := t.Run.TakeoverTerms(); terms != "" {
		takeover += ": " + terms
	}
	if c.FreeMin != nil && c.FreeMax != nil {
		add("free again", c.FreeMax, "latest; "+dur.Format(*c.FreeMin)+" at the earliest, after the last renewal")
	} else if c.FreeMin != nil && len(t.Unknown) == 0 {
		rows = append(rows, clock{"free again", "unbounded", dur.Format(*c.FreeMin) + " at the earliest, after the last renewal"}, clock{"after a crash", "unbounded", takeover})
	}
	if c.LossKnown != nil {
		add("holder told", c.LossKnown, "latest, by the library, after the last renewal")
	}
	if t.Run.In.Detect.Unbounded && c.FreeMin != nil {
		rows = append(rows, clock{"after a crash", "not known", "the lease and one period of the schedule (--period)"})
	}
	add("after a crash", c.TakeoverWorst, takeover)
	add("clean release", c.TakeoverClean, "worst until a waiter owns the lock")
	if t.Run.Own.Endless && len(t.Unknown) == 0 {
		rows = append(rows, clock{"acquire", "without end", "tries, or the wait for an answer, have no limit"})
	}
	add("acquire", c.AcquireWorst, "longest that one call of a waiter takes")
	return rows
}
