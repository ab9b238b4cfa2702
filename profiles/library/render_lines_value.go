package library

import (
	"regexp"
	"strings"
)

// assigned is a line with a value: what stands before it, the value in its
// quotes, and a comment behind.
var (
	assigned      = regexp.MustCompile(`^([^=]*=\s*)("[^"]*"|'[^']*'|[^#\s][^#]*?)?(\s+#.*|\s*)$`)
	assignedProps = regexp.MustCompile(`(?s)^(\s*(?:\\.|[^\\=:\s])+\s*[=:]?[ \t\f]*)(.*?)()$`)
)

// valued is a line with another value. A placeholder takes it as its default,
// and quotes stay.
func valued(line, form string, unit Unit, value string) string {
	pattern := assigned
	if form == string(Properties) {
		pattern = assignedProps
	}
	m := pattern.FindStringSubmatch(line)
	if m == nil {
		return line // the merged file is read back, and refused
	}
	before, old, behind := m[1], m[2], m[3]
	if !strings.ContainsAny(before[len(before)-1:], "=: \t\f") { // a key alone
		before += "="
	}
	quote := ""
	if old != "" && strings.ContainsAny(old[:1], `"'`) && form != string(Properties) {
		quote, old = old[:1], strings.Trim(old, old[:1])
	}
	if filled, ok := refill(old, value); ok {
		value = filled
	}
	if quote != "" && !strings.Contains(value, quote) && (form == string(Env) || valueIn(form, unit, "") != "") {
		return before + quote + value + quote + behind
	}
	return before + valueIn(form, unit, value) + behind
}
