package rule

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/lockplan/lockplan/calc/finding"
)

// Place is where in an input something stands. Line is 1-based, 0 is unknown.
type Place struct {
	File string
	Line int
}

// at is a finding of rule r raised outside of Run, at a place of an input.
func (r Rule) at(p Place, message, fix string) finding.Finding {
	f := r.says(message, fix)
	f.File, f.Line = p.File, p.Line
	return f
}

// plain escapes what a terminal would obey rather than show: metric names,
// labels and layer names come from files.
func plain(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}
