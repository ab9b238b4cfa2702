package cmd

import (
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/rollout"
)

// headline is what a route is worth, in one line.
func (r route) headline() string {
	switch {
	case r.only != "":
		return r.only + ", nothing runs beside it"
	case r.conflict != nil:
		return "no order of steps is safe"
	case len(r.steps) == 0:
		return "nothing to roll out"
	}
	noun := " steps, "
	if len(r.steps) == 1 {
		noun = " step, "
	}
	claim := "safe in every mix"
	switch {
	case len(r.last) > 0:
		claim = "to an unsafe state"
	case len(r.first) > 0:
		claim = "out of an unsafe state"
	}
	return strconv.Itoa(len(r.steps)) + noun + claim + "; finish each everywhere before the next"
}

// name is the service, or what stands for one that has no name.
func (r route) name() string {
	if r.service == "" {
		return "the lock"
	}
	return r.service
}

func (a *app) writeRoutes(routes []route) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(rolloutDocument(routes))
	case "csv":
		return a.writeCSV(routeRows(routes))
	case "markdown":
		for _, r := range routes {
			a.markdownRoute(r)
		}
		return nil
	}
	for i, r := range routes {
		if i > 0 {
			a.out.WriteString("\n")
		}
		a.writeRoute(r)
	}
	return nil
}

// stepHead are the columns of a table of steps; all but how and why are to be
// done.
var stepHead = []string{"step", "change", "from", "to", "how", "why", "check when done", "then"}

func (r route) stepRow(i int) []string {
	s, then := r.steps[i], ""
	if i+1 < len(r.steps) {
		then = settleText(s)
	}
	do, from, to := stepText(s)
	return []string{strconv.Itoa(i + 1), do, from, to, how(s), r.reason(i), strings.Join(checks(s.After), "; "), then}
}

// routeRows has a row for each step, and one for a route without any.
func routeRows(routes []route) [][]string {
	rows := [][]string{append([]string{"service", "rollout"}, stepHead...)}
	for _, r := range routes {
		lead := []string{r.service, r.headline()}
		if len(r.steps) == 0 {
			rows = append(rows, append(lead, make([]string, len(stepHead))...))
		}
		for i := range r.steps {
			rows = append(rows, append([]string{r.service, r.headline()}, r.stepRow(i)...))
		}
	}
	return rows
}

func (a *app) markdownRoute(r route) {
	a.out.WriteString("**" + markdownText(r.name()) + "**: " + r.headline() + "\n\n")
	var rows [][]string
	for i := range r.steps {
		rows = append(rows, r.stepRow(i))
	}
	if len(rows) > 0 {
		a.markdownTable(stepHead, rows)
	}
	rows = nil
	for _, f := range r.findings() {
		rows = append(rows, []string{f.Severity.String(), f.ID, f.Message, f.Fix})
	}
	if len(rows) > 0 {
		a.markdownTable([]string{"severity", "rule", "finding", "fix"}, rows)
	}
}

func (a *app) writeRoute(r route) {
	a.out.WriteString(shown(r.name()) + ": " + r.headline() + "\n")
	for i, s := range r.steps {
		do, from, to := stepText(s)
		a.writeWrapped(strconv.Itoa(i+1)+". ", do+": "+from+" -> "+to)
		if text := how(s); text != "" {
			a.writeWrapped("   how   ", text)
		}
		a.writeWrapped("   why   ", r.reason(i))
		for _, check := range checks(s.After) {
			a.writeCommand("   check ", check)
		}
		if i+1 < len(r.steps) {
			a.writeWrapped("   then  ", settleText(s))
		}
	}
	a.writeFindings(r.findings())
}

func checks(p rollout.Process) []string {
	var out []string
	for i := range p.Locks {
		out = append(out, checkCommand(p, i))
	}
	return out
}
