package library

import (
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// env reads a file of variables: NAME=value, with or without export and
// quotes.
func (r *reader) env(text string, o origin, at []step) error {
	return r.lines(text, o, at, "#", "=")
}

// ini reads lines of key = value or key: value below [section] heads, in
// whichever dialect.
func (r *reader) ini(text string, o origin, at []step) error {
	return r.lines(text, o, at, "#;!", "=:")
}

func (r *reader) lines(text string, o origin, at []step, comments, separators string) error {
	section, number := at, 0
	for line := range strings.Lines(text) {
		if number++; len(r.out) > maxEntries {
			break
		}
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], comments) || strings.HasPrefix(line, "//") {
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && strings.Contains(separators, ":") {
			section = at
			if name := strings.Trim(line, "[] "); name != "" {
				section = dotted(at, name)
			}
			continue
		}
		line = strings.TrimPrefix(line, "export ")
		cut := strings.IndexAny(line, separators)
		if cut <= 0 {
			return fault.Usagef("%s:%d: %q is not key = value", r.name, o.line(number), line)
		}
		key := strings.Trim(strings.TrimSpace(line[:cut]), `"'`)
		value := bareText(line[cut+1:])
		r.add(section, key, Value{Text: value, File: r.name, Line: o.line(number)})
		if strings.HasPrefix(value, "{") {
			if err := r.inner(key, value, origin{below: o.line(number) - 1, flat: true}, dotted(section, key)); err != nil {
				return err
			}
		}
	}
	return nil
}

// bareText drops quotes and what follows them, or a trailing comment.
func bareText(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : 1+end]
		}
	}
	if i := strings.Index(text, " #"); i >= 0 {
		text = strings.TrimSpace(text[:i])
	}
	return text
}

// systemd reads the commands and the variables of a systemd unit.
func (r *reader) systemd(text string, o origin, at []step) error {
	number, from, commands := 0, 0, 0
	joined := ""
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if joined == "" {
			from = number
		}
		joined += line
		if strings.HasSuffix(joined, "\\") {
			joined = strings.TrimSuffix(joined, "\\") + " "
			continue
		}
		key, value, ok := strings.Cut(joined, "=")
		joined = ""
		if !ok || strings.HasPrefix(key, "#") || strings.HasPrefix(key, ";") {
			continue
		}
		switch words := shellWords(value); strings.TrimSpace(key) {
		case "ExecStart":
			for i := range words {
				words[i].line = o.line(from)
			}
			r.flagWords(words, under(at, step{name: "ExecStart", number: commands}))
			commands++
		case "Environment":
			for _, w := range words {
				if name, value, ok := strings.Cut(w.text, "="); ok {
					r.add(at, name, Value{Text: value, File: r.name, Line: o.line(from)})
				}
			}
		}
	}
	return nil
}
