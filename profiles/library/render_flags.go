package library

import (
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// renderFlags writes the flags that the library's own programs know, and
// everything else as remarks. Flags of an existing command line, or among the
// arguments of a container, are replaced where they stand.
func renderFlags(fit Fitted, head, existing string) (string, error) {
	if !flagged(fit) {
		return "", noFlags(fit)
	}
	if formOf("", existing) == YAML && !oneText(existing) {
		return renderArguments(fit, head, existing)
	}
	lines := physical(stripHead(existing, "#"))
	command := slices.ContainsFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l != "" && l[0] != '#' && (!strings.HasPrefix(l, "--") || strings.HasSuffix(l, `\`))
	})
	for _, s := range fit.Settings {
		key, _ := fit.Library.Sheet().Key(s.Key)
		if key.Flag == "" {
			continue
		}
		text, comment := "--"+key.Flag+"="+s.Text, "# "+s.Provenance(fit.Library)
		flag := regexp.MustCompile(`(^|\s)--` + regexp.QuoteMeta(key.Flag) + `(?:=|[ \t]+)[^\s\\]+`)
		at := -1
		for i, l := range lines {
			if firstOf(l) != "#" && flag.MatchString(l) {
				lines[i] = flag.ReplaceAllString(l, "${1}"+text)
				at = i
			}
		}
		switch last := lastCommand(lines); {
		case at >= 0 && command: // a comment would end the command
		case at > 0 && provenance.MatchString(lines[at-1]):
			lines[at-1] = comment
		case at >= 0:
			lines = slices.Insert(lines, at, comment)
		case command && strings.HasSuffix(lines[last], `\`):
			lines = slices.Insert(lines, last+1, "  "+text)
		case command:
			lines[last] += " " + text
		default:
			lines = append(lines, comment, text)
		}
	}
	out := append([]string{"# " + head}, remarksOf(fit, "flags", "#")...)
	return strings.Join(append(out, lines...), "\n") + "\n", nil
}

// lastCommand is the last line that is no comment, -1 without one.
func lastCommand(lines []string) int {
	for i, l := range slices.Backward(lines) {
		if first := firstOf(l); first != "" && first != "#" {
			return i
		}
	}
	return -1
}

// oneText reports whether a file is to YAML one text, as a script is, or nothing.
func oneText(existing string) bool {
	var doc yaml.Node
	return yaml.Unmarshal([]byte(existing), &doc) == nil && (len(doc.Content) == 0 || doc.Content[0].Kind == yaml.ScalarNode)
}
