package library

import (
	"fmt"
	"strings"
)

// Replaced are the placeholders that a merge could not keep, each with the
// value that stands in its place.
func Replaced(fit Fitted, path, before, after string) []string {
	read := func(text string) map[string]hit {
		text = strings.TrimPrefix(text, "\ufeff")
		hits, _ := standing(fit.Library, formOf(path, text), text, 0) // no code
		return hits
	}
	old, now := read(before), read(after)
	var out []string
	for _, s := range fit.Settings {
		was, is := old[s.Key], now[s.Key]
		if filled(was.Text) && !filled(is.Text) {
			out = append(out, fmt.Sprintf("line %d: %s was %q, filled in from elsewhere, and is %q now", was.Line, was.path, was.Text, is.Text))
		}
	}
	return out
}

// filled reports whether something else fills in a text.
func filled(text string) bool {
	resolved, why := placeholder(text)
	return why != "" || resolved != text
}
