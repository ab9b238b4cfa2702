package library

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// renderLines writes key = value lines: properties, env and TOML. A line whose
// key is set is replaced in place; the comments above and behind it stay.
func renderLines(fit Fitted, head, form, existing string) (string, error) {
	all := physical(stripHead(existing, "#"))
	end := rootEnd(all)
	rest := slices.Clone(all[end:]) // what a [section] holds is somebody else's
	lines := logical(all[:end], form)
	for i := 0; i < len(lines); i++ { // what an earlier plan wrote and this one has not
		written := i > 0 && provenance.MatchString(strings.TrimSpace(lines[i-1]))
		if written && known(fit.Library, lines[i], form) && !slices.ContainsFunc(fit.Settings, func(s Setting) bool { return sets(fit.Library, s, lines[i], form) }) {
			lines = slices.Delete(lines, i-1, i+1)
			i -= 2
		}
	}
	var fresh []string
	for _, s := range fit.Settings {
		if !owned(fit, s, form) {
			continue
		}
		comment := "# " + s.Provenance(fit.Library)
		at := slices.IndexFunc(lines, func(old string) bool { return sets(fit.Library, s, old, form) })
		if at < 0 {
			fresh = append(fresh, comment, line(fit.Library, s, form))
			continue
		}
		lines[at] = line(fit.Library, s, form) + behind(lines[at], form)
		for i := len(lines) - 1; i > at; i-- { // the last of two would win
			if sets(fit.Library, s, lines[i], form) {
				lines = slices.Delete(lines, i, i+1)
			}
		}
		if at > 0 && provenance.MatchString(strings.TrimSpace(lines[at-1])) {
			lines[at-1] = comment
		} else {
			lines = slices.Insert(lines, at, comment)
		}
	}
	out := append([]string{"# " + head}, remarksOf(fit, form, "#")...)
	return strings.Join(slices.Concat(out, lines, fresh, rest), "\n") + "\n", nil
}

func physical(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// logical joins the lines of a properties file that a backslash continues.
func logical(lines []string, form string) []string {
	if form != "properties" {
		return slices.Clone(lines)
	}
	var out []string
	open := false
	for _, l := range lines {
		if open {
			out[len(out)-1] += "\n" + l
		} else {
			out = append(out, l)
		}
		comment := !open && strings.ContainsAny(firstOf(l), "#!")
		open = !comment && (len(l)-len(strings.TrimRight(l, `\`)))%2 == 1
	}
	return out
}

func firstOf(line string) string {
	line = strings.TrimSpace(line)
	return line[:min(1, len(line))]
}

// rootEnd is where the first [section] begins: keys below it are somebody
// else's.
func rootEnd(lines []string) int {
	for i, l := range lines {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "[") && strings.HasSuffix(l, "]") {
			return i
		}
	}
	return len(lines)
}

func line(lib Library, s Setting, form string) string {
	key, _ := lib.Sheet().Key(s.Key)
	switch form {
	case "env":
		return envName(key) + "=" + quoteText(s.Text)
	case "toml":
		name := s.Key // dots make TOML tables
		if key.Unit == Millis || key.Unit == Seconds || key.Unit == Count || key.Unit == Decimal || key.Unit == Factor || key.Unit == Switch {
			return name + " = " + s.Text
		}
		return name + ` = "` + s.Text + `"`
	}
	return s.Key + "=" + s.Text
}

func quoteText(text string) string {
	if strings.ContainsAny(text, " {}<>!") {
		return "'" + text + "'"
	}
	return text
}

// envName is the variable that the library's users set; where the library
// reads none, its key in capitals: LEASE_DURATION. Spring's are its keys
// without dashes.
func envName(key Key) string {
	if key.Env != "" {
		return key.Env
	}
	name := key.Name
	if strings.HasPrefix(name, "spring.") {
		return strings.ToUpper(strings.NewReplacer(".", "_", "-", "").Replace(name))
	}
	var out strings.Builder
	for i, r := range name {
		switch {
		case r == '.' || r == '-':
			out.WriteByte('_')
			continue
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(name[i-1])):
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToUpper(r))
	}
	return out.String()
}

// keyOn is the key that a line sets, "" for a comment or an empty line.
func keyOn(line, form string) string {
	line = strings.TrimSpace(line)
	if line == "" || strings.ContainsAny(line[:1], "#!;[") {
		return ""
	}
	if form != "properties" {
		name, _, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if !ok {
			return ""
		}
		return strings.Trim(strings.TrimSpace(name), `"'`)
	}
	var out strings.Builder
	for i := 0; i < len(line); i++ { // a key ends at =, : or white space
		switch c := line[i]; {
		case strings.IndexByte("=: \t\f", c) >= 0:
			return out.String()
		case c == '\\' && i+5 < len(line) && line[i+1] == 'u':
			if n, err := strconv.ParseUint(line[i+2:i+6], 16, 16); err == nil {
				out.WriteRune(rune(n))
			}
			i += 5
		case c == '\\' && i+1 < len(line):
			i++
			out.WriteByte(line[i])
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// sets reports whether a line sets the key of a setting, in a spelling that
// Parse takes for it.
func sets(lib Library, s Setting, line, form string) bool {
	key, _ := lib.Sheet().Key(s.Key)
	return spells(key, keyOn(line, form))
}

// known reports whether a line sets any key of the library.
func known(lib Library, line, form string) bool {
	name := keyOn(line, form)
	return slices.ContainsFunc(lib.Sheet().AllKeys(), func(k Key) bool { return spells(k, name) })
}

func spells(key Key, name string) bool {
	if name == "" {
		return false
	}
	bare := func(s string) string { return strings.ReplaceAll(plain(s), ".", "") }
	return slices.ContainsFunc(append([]string{key.Name, key.Env}, key.Other...), func(s string) bool { return s != "" && bare(s) == bare(name) })
}

var trailing = regexp.MustCompile(`^[^=]*=\s*(?:"[^"]*"|'[^']*'|[^#\s][^#]*?)?(\s+#.*)$`)

// behind is the comment behind a value, where the form has such.
func behind(line, form string) string {
	if m := trailing.FindStringSubmatch(line); m != nil && form != "properties" {
		return m[1]
	}
	return ""
}
