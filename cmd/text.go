package cmd

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/lockplan/lockplan/calc/finding"
)

// quantileName names a quantile as people do: P99.9.
func quantileName(q float64) string { return "P" + trimPercent(q) }

// trimPercent is a fraction in percent, with the digits it was given with.
func trimPercent(q float64) string {
	text := strings.TrimRight(strconv.FormatFloat(q*100, 'f', 6, 64), "0")
	return strings.TrimSuffix(text, ".")
}

// thousands prints 100000 as "100 000".
func thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

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
