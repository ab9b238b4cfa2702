package cmd

import (
	"bufio"
	"io"
	"slices"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/report"
)

// reportKinds are the forms of check --out: those of -o that a CI system
// keeps, and those that only CI systems read.
var reportKinds = append(report.Forms(), "json", "markdown")

// deliverTargets writes every form that --out asks for.
func (a *app) deliverTargets(out []destination, targets []target, failOn finding.Severity) error {
	return a.deliver(out, func(kind string, w io.Writer) error {
		if !slices.Contains(report.Forms(), kind) {
			page := *a // the same answer on another paper
			page.output, page.color, page.out = kind, false, bufio.NewWriter(w)
			if err := page.writeTargets(targets, failOn); err != nil {
				return err
			}
			return page.out.Flush()
		}
		return report.Write(w, kind, reportOf(targets, failOn))
	})
}

func reportOf(targets []target, failOn finding.Severity) report.Report {
	r := report.Report{Version: buildVersion(), FailOn: failOn, Rules: slices.Concat(rule.Catalogue, library.Catalogue)}
	for _, t := range targets {
		r.Targets = append(r.Targets, report.Target{Name: t.name, Library: t.Run.Library.Name(), Findings: t.Findings, SetAside: t.setAside, Place: t.place})
	}
	return r
}
