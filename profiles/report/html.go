package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
)

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

type pageFinding struct{ ID, Name, Severity, Place, Message, Fix, Reason string }

type pageTarget struct {
	Name, Library string
	Red           bool
	Findings      []pageFinding
	SetAside      []pageFinding
}

// writeHTML writes one page that needs nothing beside it: no script, no font,
// no request.
func writeHTML(w io.Writer, r Report) error {
	var doc struct {
		Version string
		FailOn  string
		Red     int
		Targets []pageTarget
	}
	doc.Version, doc.FailOn = r.Version, r.FailOn.String()
	for _, t := range r.Targets {
		out := pageTarget{Name: printable(t.Name), Library: t.Library, Red: r.Red(t)}
		if out.Red {
			doc.Red++
		}
		for _, f := range t.Findings {
			out.Findings = append(out.Findings, pageFinding{f.ID, r.rule(f.ID).Name, f.Severity.String(), t.at(f), printable(f.Message), printable(f.Fix), ""})
		}
		for _, s := range t.SetAside {
			f := s.Finding
			out.SetAside = append(out.SetAside, pageFinding{f.ID, r.rule(f.ID).Name, f.Severity.String(), t.at(f), printable(f.Message), printable(f.Fix), printable(s.Reason)})
		}
		doc.Targets = append(doc.Targets, out)
	}
	return pageTemplate.Execute(w, doc)
}

// at is "file:line", or "".
func (t Target) at(f finding.Finding) string { return printable(strings.TrimSuffix(t.text(f), ": ")) }
