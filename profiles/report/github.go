package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
)

var commands = map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}

// writeGitHub writes workflow commands, which GitHub shows as annotations at
// the lines they name.
func writeGitHub(w io.Writer, r Report) error {
	var out strings.Builder
	for _, t := range r.Targets {
		for _, f := range t.Findings {
			out.WriteString("::" + commands[f.Severity] + " ")
			if p, ok := t.place(f); ok {
				out.WriteString("file=" + property(p.File))
				if p.Line > 0 {
					out.WriteString(",line=" + strconv.Itoa(p.Line))
				}
				out.WriteString(",")
			}
			out.WriteString("title=" + property(f.ID+" "+r.rule(f.ID).Name) + "::" + data(t.Name+": "+f.Message+"\nfix: "+f.Fix) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// data and property escape as actions/toolkit does. A name from a file cannot
// begin a command of its own: commands begin a line.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func data(text string) string     { return dataEscapes.Replace(printable(text)) }
func property(text string) string { return propertyEscapes.Replace(printable(text)) }
