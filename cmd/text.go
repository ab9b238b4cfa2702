package cmd

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/lockplan/lockplan/calc/finding"
)

// shown makes text from outside safe for a terminal.
func shown(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.QuoteToGraphic(text)
	return quoted[1 : len(quoted)-1]
}

// paint colours the start of a finding on a terminal; the word is there
// without colour too.
func (a *app) paint(severity finding.Severity, text string) string {
	if !a.color {
		return text
	}
	code := map[finding.Severity]string{finding.Error: "31;1", finding.Warning: "33", finding.Info: "2"}[severity]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// unpainted is text without the colours of paint.
func unpainted(text string) string { return escapes.ReplaceAllString(text, "") }
