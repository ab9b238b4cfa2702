// Package report writes the findings of a gate in the forms that CI systems
// read. A form is one file here and one line in the registry.
package report

import (
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// Report is what a gate found.
type Report struct {
	Version string // of lockplan
	FailOn  finding.Severity
	Rules   []rule.Rule // that findings may cite
	Targets []Target
}

// Target is one configuration that was looked at.
type Target struct {
	Name     string
	Library  string
	Findings []finding.Finding
	SetAside []SetAside
	// Place is where a finding is shown that stands nowhere itself.
	Place rule.Place
}

// SetAside is a finding that the plan file suppresses.
type SetAside struct {
	Finding finding.Finding
	Reason  string
	Until   time.Time // zero is without end
}

// Why is the reason, and until which day it holds.
func (s SetAside) Why() string {
	if s.Until.IsZero() {
		return printable(s.Reason) + " (without end)"
	}
	return printable(s.Reason) + " (until " + s.Until.Format(time.DateOnly) + ")"
}

// forms is the registry.
var forms = map[string]func(io.Writer, Report) error{
	"github": writeGitHub,
	"html":   writeHTML,
	"junit":  writeJUnit,
	"sarif":  writeSARIF,
}

// Forms are the names of the forms, sorted.
func Forms() []string { return slices.Sorted(maps.Keys(forms)) }

// Write writes a report in a form of Forms.
func Write(w io.Writer, form string, r Report) error { return forms[form](w, r) }

// Red reports whether the gate fails for a target.
func (r Report) Red(t Target) bool {
	return slices.ContainsFunc(t.Findings, func(f finding.Finding) bool { return f.Severity >= r.FailOn })
}

// place is where a finding is shown: at its own line, else at its target.
func (t Target) place(f finding.Finding) (p rule.Place, ok bool) {
	p = rule.Place{File: f.File, Line: f.Line}
	if p.File == "" {
		p = t.Place
	}
	return p, p.File != "" && p.File != "-" && p.File != "standard input"
}

// rule is what the catalogue knows of a finding's rule.
func (r Report) rule(id string) rule.Rule {
	if i := slices.IndexFunc(r.Rules, func(known rule.Rule) bool { return known.ID == id }); i >= 0 {
		return r.Rules[i]
	}
	return rule.Rule{ID: id, Name: id}
}

// printable replaces what a terminal or a browser would obey: names come from
// files.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return '\uFFFD'
	}, text)
}
