package source

import (
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
)

// mostWarnings of one answer are told.
const mostWarnings = 5

// warn tells what a server warned of.
func (o *Observation) warn(warnings []string) {
	for _, w := range warnings {
		o.add("LP206", finding.Warning, 0, "the server warned: "+show(w), "the answer may hold less than was asked for")
	}
}

// said is the same for an error.
func said(warnings []string) string {
	if len(warnings) == 0 {
		return ""
	}
	var shown []string
	for _, w := range warnings {
		shown = append(shown, show(w))
	}
	return "; the server warned: " + strings.Join(shown, ", ")
}

// distinct drops what was said before: one conversation has several answers.
func distinct(warnings []string) (kept []string) {
	for _, w := range warnings {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}
