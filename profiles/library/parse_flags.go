package library

import (
	"regexp"
	"strings"
)

// word is one word of a command line.
type word struct {
	text string
	line int
}

var flag = regexp.MustCompile(`^--?([A-Za-z][\w.\-]*)(?:=((?s).*))?$`)

// flags reads command lines: each begins with a word that is no flag, and goes
// on over every line that does not.
func (r *reader) flags(text string, o origin, at []step) {
	var words []word
	number, continued := 0, false
	commands := 0
	flush := func() {
		r.flagWords(words, under(at, step{kind: inItem, number: commands, line: o.line(number)}))
		words = nil
		commands++
	}
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "//") {
			continue
		}
		if line[0] != '-' && !continued && len(words) > 0 {
			flush()
		}
		continued = strings.HasSuffix(line, "\\")
		for _, w := range shellWords(strings.TrimSuffix(line, "\\")) {
			words = append(words, word{w.text, o.line(number)})
		}
	}
	flush()
}

// flagWords reads --flag=value and --flag value, with one dash or two.
func (r *reader) flagWords(words []word, at []step) {
	for i, w := range words {
		m := flag.FindStringSubmatch(w.text)
		if m == nil {
			continue
		}
		v := Value{Text: "true", File: r.name, Line: w.line}
		switch {
		case strings.Contains(w.text, "="):
			v.Text = m[2]
		case i+1 < len(words) && flag.FindString(words[i+1].text) == "":
			v.Text, v.Line = words[i+1].text, words[i+1].line
		}
		flagAt := under(at, step{kind: inText})
		r.add(flagAt, m[1], v)
	}
}

// shellWords splits a line as a shell does: at white space, where no quote
// keeps it together.
func shellWords(line string) []word {
	var out []word
	var text strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			text.WriteByte(line[i])
			open = true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				out = append(out, word{text: text.String()})
				text.Reset()
				open = false
			}
		default:
			text.WriteByte(c)
			open = true
		}
	}
	if open {
		out = append(out, word{text: text.String()})
	}
	return out
}
