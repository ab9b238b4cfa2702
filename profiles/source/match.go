package source

import (
	"regexp"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// Matcher is one condition on a label, as in a Prometheus selector. A label
// that is absent has the value "".
type Matcher struct {
	Label   string
	Op      string // =, !=, =~ or !~
	Value   string
	pattern *regexp.Regexp
}

// Matches says whether a label's value satisfies the condition.
func (m Matcher) Matches(value string) bool {
	switch m.Op {
	case "=":
		return value == m.Value
	case "!=":
		return value != m.Value
	case "=~":
		return m.pattern.MatchString(value)
	default:
		return !m.pattern.MatchString(value)
	}
}

// ParseMatch reads `label="value"` and its kin !=, =~ and !~, comma separated,
// with or without braces around them all. Regular expressions match the whole
// value.
func ParseMatch(text string) ([]Matcher, error) {
	rest := strings.TrimSpace(text)
	if strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") {
		rest = strings.TrimSpace(rest[1 : len(rest)-1])
	}
	var ms []Matcher
	for rest != "" {
		at := strings.IndexAny(rest, "=!")
		if at <= 0 {
			return nil, unreadableMatch(text)
		}
		m := Matcher{Label: strings.TrimSpace(rest[:at])}
		rest = rest[at:]
		for _, op := range []string{"=~", "!~", "!=", "="} {
			if strings.HasPrefix(rest, op) {
				m.Op = op
				rest = strings.TrimSpace(rest[len(op):])
				break
			}
		}
		if m.Op == "" || !isLabelName(m.Label) {
			return nil, unreadableMatch(text)
		}
		value, after, ok := cutQuoted(rest)
		if !ok {
			return nil, unreadableMatch(text)
		}
		m.Value = value
		if m.Op == "=~" || m.Op == "!~" {
			pattern, err := regexp.Compile("^(?s:" + value + ")$")
			if err != nil {
				return nil, fault.Usagef("match %q: %q is not a regular expression", text, value)
			}
			m.pattern = pattern
		}
		ms = append(ms, m)
		rest = strings.TrimSpace(after)
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return nil, unreadableMatch(text)
		}
		rest = strings.TrimSpace(rest[1:])
	}
	if len(ms) == 0 {
		return nil, unreadableMatch(text)
	}
	return ms, nil
}

func unreadableMatch(text string) error {
	return fault.Usagef("match %q cannot be read", text).Hintf(`write label="value", comma separated; also !=, =~ and !~`)
}

func isLabelName(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || c == '.' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// cutQuoted takes a double-quoted string with \\ \" and \n off the front.
func cutQuoted(text string) (value, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", "", false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return unescape(text[1:i]), text[i+1:], true
		}
	}
	return "", "", false
}

// unescape undoes the escapes of a label value.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			switch text[i] {
			case 'n':
				c = '\n'
			case '\\', '"':
				c = text[i]
			default:
				out.WriteByte('\\')
				c = text[i]
			}
		}
		out.WriteByte(c)
	}
	return out.String()
}
