package cmd

import (
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/library"
)

const checkSchema = "lockplan/check/v1"

// checkDocument is the JSON contract of check.
type checkDocument struct {
	Schema   string           `json:"schema"`
	Feasible bool             `json:"feasible"`
	Targets  []targetDocument `json:"targets"`
}

type targetDocument struct {
	Name         string                 `json:"name"`
	Library      string                 `json:"library"`
	Values       map[string]string      `json:"values"`
	Effective    map[string]string      `json:"effective"`
	Consequences consequenceDocument    `json:"consequences"`
	Findings     []plan.FindingDocument `json:"findings"`
	NotChecked   []string               `json:"not_checked"`
	// SetAside are findings that the plan file suppresses; feasible leaves them
	// out.
	SetAside []setAsideDocument `json:"set_aside"`
	// Conditions say what gives each of the five conditions and covers each
	// fault, or that nothing does.
	Conditions map[string]string `json:"conditions"`
	Simulation *[]probe          `json:"simulation"` // null without --simulate
	// Line is where the configuration begins in its file; null where it has
	// none.
	Line *int `json:"line"`
	// Unknown are settings that something else fills in and that the answer
	// depends on: what depends on them is null.
	Unknown []string `json:"unknown"`
}

type setAsideDocument struct {
	Finding plan.FindingDocument `json:"finding"`
	Reason  string               `json:"reason"`
	Until   *string              `json:"until"` // the last day; null is without end
}

type consequenceDocument struct {
	TTL           *plan.Seconds `json:"ttl_seconds"`
	Interval      *plan.Seconds `json:"renew_interval_seconds"`
	Call          *plan.Seconds `json:"renew_call_seconds"`
	Failures      *int          `json:"failures_tolerated"`
	Outage        *plan.Seconds `json:"outage_survived_seconds"`
	Pause         *plan.Seconds `json:"pause_survived_seconds"`
	Hold          *plan.Seconds `json:"hold_covered_seconds"`
	FreeMin       *plan.Seconds `json:"free_min_seconds"`
	FreeMax       *plan.Seconds `json:"free_max_seconds"`
	LossKnown     *plan.Seconds `json:"loss_known_seconds"`
	TakeoverWorst *plan.Seconds `json:"takeover_worst_seconds"`
	TakeoverClean *plan.Seconds `json:"takeover_clean_seconds"`
	Skew          *plan.Seconds `json:"skew_survived_seconds"`
	Acquire       *plan.Seconds `json:"acquire_worst_seconds"`
	CallWorst     *plan.Seconds `json:"call_worst_seconds"` // renew_call_seconds, or more by the client's late timers and its other calls
}

func consequencesDocument(c library.Consequences) consequenceDocument {
	s := func(d *time.Duration) *plan.Seconds { return (*plan.Seconds)(d) }
	worst := c.CallWorst
	if worst == nil {
		worst = c.Call
	}
	return consequenceDocument{s(c.TTL), s(c.Interval), s(c.Call), c.Failures, s(c.Outage), s(c.Pause), s(c.Hold),
		s(c.FreeMin), s(c.FreeMax), s(c.LossKnown), s(c.TakeoverWorst), s(c.TakeoverClean), s(c.SkewSurvived), s(c.AcquireWorst), s(worst)}
}

func checkDocumentOf(targets []target, failOn finding.Severity) checkDocument {
	doc := checkDocument{Schema: checkSchema, Feasible: true, Targets: []targetDocument{}}
	for _, t := range targets {
		doc.Feasible = doc.Feasible && t.Feasible(failOn) && len(t.Unknown) == 0
		row := targetDocument{Name: t.name, Library: t.Run.Library.Name(), Values: map[string]string{}, Effective: t.Run.Effective,
			Consequences: consequencesDocument(t.Consequences), Findings: plan.Documents(t.Findings), NotChecked: []string{}, SetAside: []setAsideDocument{}, Unknown: append([]string{}, t.Unknown...)}
		if t.line > 0 {
			row.Line = &t.line
		}
		if t.probes != nil {
			row.Simulation = &t.probes
		}
		for key, v := range t.Run.Values {
			row.Values[key] = v.Text
		}
		row.Conditions = map[string]string{}
		for _, g := range library.Covers(t.Run) {
			for _, r := range g.Rows {
				row.Conditions[strings.ReplaceAll(r.Name, " ", "_")] = r.Text
			}
		}
		row.NotChecked = append(row.NotChecked, t.NotChecked...)
		for _, s := range t.setAside {
			doc := setAsideDocument{Finding: plan.Documents([]finding.Finding{s.Finding})[0], Reason: s.Reason}
			if !s.Until.IsZero() {
				day := s.Until.Format(time.DateOnly)
				doc.Until = &day
			}
			row.SetAside = append(row.SetAside, doc)
		}
		doc.Targets = append(doc.Targets, row)
	}
	return doc
}

// writeTargets prints every target in the form of -o.
func (a *app) writeTargets(targets []target, failOn finding.Severity) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(checkDocumentOf(targets, failOn))
	case "csv":
		return a.writeTargetsCSV(targets)
	case "markdown":
		a.writeTargetsMarkdown(targets)
	default:
		for i, t := range targets {
			if i > 0 {
				fmt.Fprintln(a.out)
			}
			a.writeTarget(t)
		}
	}
	return nil
}

// writeTargetsCSV is one row a finding.
func (a *app) writeTargetsCSV(targets []target) error {
	w := csv.NewWriter(a.out)
	w.Write([]string{"target", "library", "severity", "rule", "file", "line", "message", "fix"})
	for _, t := range targets {
		for _, f := range t.Findings {
			line := ""
			if f.Line > 0 {
				line = fmt.Sprint(f.Line)
			}
			w.Write([]string{t.name, t.Run.Library.Name(), f.Severity.String(), f.ID, f.File, line, f.Message, f.Fix})
		}
	}
	w.Flush()
	return w.Error()
}

func (a *app) writeTargetsMarkdown(targets []target) {
	for _, t := range targets {
		fmt.Fprintf(a.out, "## %s (%s)\n\n", markdownText(t.name), t.Run.Library.Name())
		var rows [][]string
		for _, r := range survives(t) {
			rows = append(rows, []string{r.name, r.value, r.why})
		}
		a.markdownTable([]string{"what", "how much", "why"}, rows)
		rows = nil
		for _, f := range t.Findings {
			rows = append(rows, []string{f.Severity.String(), f.ID, placeOf(f) + f.Message, f.Fix})
		}
		if len(rows) > 0 {
			a.markdownTable([]string{"severity", "rule", "finding", "fix"}, rows)
		}
		rows = nil
		for _, s := range t.setAside {
			rows = append(rows, []string{s.Finding.ID, placeOf(s.Finding) + s.Finding.Message, s.Why()})
		}
		if len(rows) > 0 {
			a.markdownTable([]string{"set aside", "finding", "reason"}, rows)
		}
	}
}
