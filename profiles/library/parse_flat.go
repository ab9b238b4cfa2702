package library

import (
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// flatEntries reads lines of key = value: Java properties, zoo.cfg, env files
// and the flat part of TOML and INI with their [section] heads.
func flatEntries(name, text string) ([]entry, error) {
	var out []entry
	section, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "#;!") || strings.HasPrefix(line, "//") {
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = strings.Trim(line, "[] ")
			continue
		}
		line = strings.TrimPrefix(line, "export ")
		cut := strings.IndexAny(line, "=:")
		if cut <= 0 {
			return nil, fault.Usagef("%s:%d: %q is not key = value", name, number, line)
		}
		key := strings.Trim(strings.TrimSpace(line[:cut]), `"'`)
		out = append(out, entry{join(section, key), Value{bareText(line[cut+1:]), name, number}})
	}
	return out, nil
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

// flagEntries reads a command line over any number of lines: --flag=value or
// --flag value.
func flagEntries(name, text string) []entry {
	var out []entry
	number := 0
	for line := range strings.Lines(text) {
		number++
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			continue
		}
		words := strings.Fields(line)
		for i, word := range words {
			flag, ok := strings.CutPrefix(word, "--")
			if !ok {
				continue
			}
			value := Value{"true", name, number}
			if f, t, ok := strings.Cut(flag, "="); ok {
				flag, value.Text = f, bareText(t)
			} else if i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") && words[i+1] != "\\" {
				value.Text = bareText(words[i+1])
			}
			out = append(out, entry{flag, value})
		}
	}
	return out
}
