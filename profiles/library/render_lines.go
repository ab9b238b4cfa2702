package library

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// renderLines writes key = value lines: properties, env and TOML. A value is
// replaced where it stands; what stands around it stays.
func renderLines(fit Fitted, head, form, existing string) (string, error) {
	text, err := setLines(fit, form, existing, 0)
	if err != nil {
		return "", err
	}
	out := strings.Join(append([]string{"# " + head}, remarksOf(fit, form, "#")...), "\n")
	return out + "\n" + stripHead(text, "#"), nil
}

// setLines sets the keys of lines; below is how many lines of the file come
// before them. New ones stand behind the last of the lock's own, else where the
// first section begins: what a section holds is somebody else's.
func setLines(fit Fitted, form, text string, below int) (string, error) {
	hits, err := standing(fit.Library, Form(form), text, below)
	if err != nil {
		return "", err
	}
	all := logical(physical(text), form)
	stands := map[int]hit{} // by logical line
	for key, h := range hits {
		i := lineAt(all, h.Line-below)
		planned := slices.ContainsFunc(fit.Settings, func(s Setting) bool { return s.Key == key })
		if name := keyOn(all[i], form); plain(name[strings.LastIndexByte(name, '.')+1:]) != plain(h.path[strings.LastIndexByte(h.path, '.')+1:]) {
			if planned {
				return "", fault.Usagef("%s%s stands inside of %s and cannot be changed in place", place(h.Value), h.path, name).Hintf("a line of its own")
			}
			continue
		}
		mine := i > 0 && provenance.MatchString(strings.TrimSpace(all[i-1]))
		if form == string(Env) && planned && !mine && general(h.key) {
			return "", fault.Usagef("%s%s may be another's: the name says nothing of a lock", place(h.Value), keyOn(all[i], form)).
				Hintf("--dir DIR for a file of its own; or, where it is the lock's, the line \"# %s; the lock's\" above it", h.key.Unit.Label())
		}
		stands[i] = h
	}
	home, top := homeOf(fit, hits), rootEnd(all)-1
	last := top
	if home.line == 0 {
		home.flat = true
	} else {
		last = lineAt(all, home.line-below)
	}
	within := prefix(home, all[:max(0, last)], form)
	export := ""
	for i := range stands {
		if form == string(Env) && strings.HasPrefix(strings.TrimSpace(all[i]), "export ") {
			export = "export "
		}
	}
	fresh := map[int][]string{} // by the line that they follow
	for _, s := range fit.Settings {
		if _, there := hits[s.Key]; there || !owned(fit, s, form) {
			continue
		}
		at := last
		if absolute(s.Key) {
			at = min(last, top)
		}
		fresh[at] = append(fresh[at], "# "+provenanceIn(fit, s, form), export+line(fit, within, home, s, form))
	}
	out := slices.Clone(fresh[-1])
	for i, old := range all {
		if h, there := stands[i]; there {
			if out, err = setLine(fit, form, out, old, h); err != nil {
				return "", err
			}
		} else {
			out = append(out, old)
		}
		out = append(out, fresh[i]...)
	}
	if len(out) == 0 {
		return "", nil
	}
	return strings.Join(out, "\n") + "\n", nil
}

// setLine adds a line in which a setting stands: with its new value, or not at
// all where an earlier plan wrote it and this one has not.
func setLine(fit Fitted, form string, out []string, old string, h hit) ([]string, error) {
	above := ""
	if len(out) > 0 {
		above = strings.TrimSpace(out[len(out)-1])
	}
	mine := provenance.MatchString(above)
	i := slices.IndexFunc(fit.Settings, func(s Setting) bool { return s.Key == h.key.Name })
	if i < 0 {
		if mine && !strings.HasSuffix(above, yours) {
			return out[:len(out)-1], nil
		}
		return append(out, old), nil
	}
	value, err := h.says(fit.Settings[i].Text)
	if err != nil {
		return nil, err
	}
	comment := "# " + provenanceIn(fit, fit.Settings[i], form)
	if !mine || strings.HasSuffix(above, yours) {
		comment += yours
	}
	if mine {
		out = out[:len(out)-1]
	}
	return append(out, comment, valued(old, form, h.key.Unit, value)), nil
}

// lineAt is the logical line that begins with or holds a physical one.
func lineAt(lines []string, number int) int {
	for i, l := range lines {
		if number -= 1 + strings.Count(l, "\n"); number <= 0 {
			return i
		}
	}
	return len(lines) - 1
}

// provenanceIn is where a number comes from, and what its quotes are for.
func provenanceIn(fit Fitted, s Setting, form string) string {
	text := s.Provenance(fit.Library)
	if form == string(Env) && quoteText(s.Text) != s.Text {
		text += "; quoted for shells and Compose, docker run --env-file would keep the quotes"
	}
	return text
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

// rootEnd is where the first [section] begins, or Spring's second document:
// keys below it are somebody else's.
func rootEnd(lines []string) int {
	for i, l := range lines {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "[") && strings.HasSuffix(l, "]") || l == "#---" || l == "!---" {
			return i
		}
	}
	return len(lines)
}

// prefix is what the names of new lines begin with below the lines above: the
// home without the table that they stand in.
func prefix(home home, above []string, form string) []string {
	out := namesOf(home.at)
	for _, l := range slices.Backward(above) {
		if l = strings.TrimSpace(l); form == string(TOML) && strings.HasPrefix(l, "[") {
			return out[min(len(out), len(strings.Split(l, "."))):]
		}
	}
	return out
}

// line is a new line for a setting.
func line(fit Fitted, within []string, home home, s Setting, form string) string {
	key, _ := fit.Library.Sheet().Key(s.Key)
	if form == string(Env) {
		return envName(key) + "=" + quoteText(s.Text)
	}
	path := append(slices.Clone(within), home.path(fit, s.Key)...)
	if _, picks := fit.Library.(picker); absolute(s.Key) || picks && key.App { // the library's own places hold none
		path = strings.Split(s.Key, ".")
	}
	name := strings.Join(path, ".")
	if form == string(TOML) { // dots make tables
		return name + " = " + valueIn(form, key.Unit, s.Text)
	}
	return name + "=" + s.Text
}

// valueIn is a value as a form writes it.
func valueIn(form string, unit Unit, text string) string {
	switch {
	case form == string(Env):
		return quoteText(text)
	case form != string(TOML) || unit == Millis || unit == Seconds || unit == Count || unit == Decimal || unit == Factor || unit == Switch:
		return text
	}
	return `"` + text + `"`
}

func quoteText(text string) string {
	if strings.ContainsAny(text, " {}<>!") {
		return "'" + text + "'"
	}
	return text
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
