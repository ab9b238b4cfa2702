package monitor

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/lockplan/lockplan/calc/dur"
)

// WriteContract writes what a service must export for its alerts, as
// Markdown.
func WriteContract(w io.Writer, watches []Watch) error {
	var out strings.Builder
	out.WriteString("# Metrics of the locks\n\nWhat each service exports so that lockplan's alerts and dashboard can see it. An alert counts what lies beyond a\n" +
		"bucket edge, so a histogram needs that very edge; the others are free.\n")
	for _, watch := range watches {
		fmt.Fprintf(&out, "\n## %s\n\n| metric | type | series | edge | what |\n|---|---|---|---|---|\n", cell(watch.Service))
		for _, m := range watch.Metrics {
			edge := "-"
			if m.Edge != nil {
				edge = dur.Format(*m.Edge) + ": le=" + number(*m.Edge, byText[m.Unit])
			}
			fmt.Fprintf(&out, "| %s | %s | `%s` | %s | %s |\n", m.Name, m.Kind, cell(m.Series), edge, m.What)
		}
		if len(watch.NotWatched) > 0 {
			out.WriteString("\nNot watched, for want of a metric:\n\n")
			for _, line := range watch.NotWatched {
				out.WriteString("- " + line + "\n")
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// cell is text that a table cannot be broken with.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "`", "'").Replace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text))
}
