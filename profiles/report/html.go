package report

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
)

// head is everything before the first heading: the style of the page.
//
//go:embed page.html
var head string

// writeHTML writes one page that needs nothing beside it: no script, no font,
// no request. It is written piece by piece, because a template package would
// make every binary a fifth larger.
func writeHTML(w io.Writer, r Report) error {
	red := 0
	for _, t := range r.Targets {
		if r.Red(t) {
			red++
		}
	}
	verdict := fmt.Sprintf("All %d pass the gate", len(r.Targets))
	if red > 0 {
		verdict = fmt.Sprintf("%d of %d fail the gate", red, len(r.Targets))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s<h1>Lock timeouts</h1>\n<p>%s, which fails on %s. lockplan %s.</p>\n", head, verdict, r.FailOn, safe(r.Version))
	for _, t := range r.Targets {
		state := "passes"
		if r.Red(t) {
			state = `<span class="error">fails</span>`
		}
		fmt.Fprintf(&out, "\n<h2>%s <span class=\"kind\">%s</span> %s</h2>\n", safe(t.Name), safe(t.Library), state)
		r.htmlFindings(&out, t)
	}
	out.WriteString("</html>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// htmlFindings writes the findings of a target, and those set aside.
func (r Report) htmlFindings(out *strings.Builder, t Target) {
	if len(t.Findings) == 0 {
		out.WriteString("<p>No finding.</p>\n")
	} else {
		out.WriteString("<table>\n<tr><th>severity</th><th>rule</th><th>finding</th></tr>\n")
	}
	for _, f := range t.Findings {
		place := ""
		if at := t.at(f); at != "" {
			place = "<code>" + safe(at) + "</code><br>"
		}
		fmt.Fprintf(out, "<tr><td class=\"%[1]s\">%[1]s</td><td>%s</td>\n<td>%s%s<br><span class=\"fix\">Fix: %s</span></td></tr>\n",
			f.Severity, r.htmlRule(f.ID), place, safe(f.Message), safe(f.Fix))
	}
	if len(t.Findings) > 0 {
		out.WriteString("</table>\n")
	}
	if len(t.SetAside) == 0 {
		return
	}
	out.WriteString("<p>Set aside:</p><table>\n")
	for _, s := range t.SetAside {
		fmt.Fprintf(out, "<tr><td>%s</td><td>%s<br><span class=\"fix\">Reason: %s</span></td></tr>\n",
			r.htmlRule(s.Finding.ID), safe(s.Finding.Message), safe(s.Why()))
	}
	out.WriteString("</table>\n")
}

func (r Report) htmlRule(id string) string {
	return safe(id) + `<br><span class="kind">` + safe(r.rule(id).Name) + "</span>"
}

// safe is text that neither a page nor a terminal obeys.
func safe(text string) string { return html.EscapeString(printable(text)) }

// at is "file:line", or "".
func (t Target) at(f finding.Finding) string { return strings.TrimSuffix(t.text(f), ": ") }
