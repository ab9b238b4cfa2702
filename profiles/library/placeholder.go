package library

import (
	"regexp"
	"strings"
)

// foreign are placeholders that something else than the application fills in
// before it reads the file.
var foreign = []struct {
	pattern *regexp.Regexp
	who     string
}{
	{regexp.MustCompile(`\{\{`), "a template such as Helm's"},
	{regexp.MustCompile(`\$\([\w.\-]+\)`), "Kubernetes or a shell, out of a variable"},
	{regexp.MustCompile(`#\{`), "an expression of Spring's"},
	{regexp.MustCompile(`\$\$|\$[A-Za-z_]`), "a shell, out of a variable"},
	{regexp.MustCompile(`^@[\w.\-]+@$`), "the build"},
}

// placeholder replaces ${NAME:-default} and Spring's ${NAME:default} by the
// default, however deep they stand in each other. why says of a value without
// one who fills it in.
func placeholder(text string) (resolved, why string) {
	resolved, why = expand(text, 0)
	if why != "" {
		return "", why
	}
	for _, f := range foreign {
		if m := f.pattern.FindString(resolved); m != "" {
			return "", "is filled in by " + f.who
		}
	}
	return resolved, ""
}

func expand(text string, depth int) (resolved, why string) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		if !found || strings.HasSuffix(before, "$") {
			out.WriteString(text)
			return out.String(), ""
		}
		end := closing(rest)
		if end < 0 || depth > maxDepth {
			return "", "has a ${ that is not closed"
		}
		out.WriteString(before)
		inner := rest[:end]
		text = rest[end+1:]
		cut := nameEnd(inner)
		if cut < 0 {
			return "", "comes from the environment and has no default"
		}
		value := strings.TrimPrefix(inner[cut:], ":")
		switch {
		case strings.HasPrefix(value, "?"), strings.HasPrefix(value, "+"):
			return "", "comes from the environment and has no default"
		case strings.HasPrefix(value, "-"), strings.HasPrefix(value, "="):
			value = value[1:]
		}
		value, why := expand(value, depth+1)
		if why != "" {
			return "", why
		}
		out.WriteString(value)
	}
}

// nameEnd is where the name in a placeholder ends and what to do without a
// value begins, -1 where nothing of the kind stands.
func nameEnd(inner string) int {
	cut := strings.IndexAny(inner, ":-=?+")
	for cut > 0 && inner[cut] == '-' && !dashDefault(inner, cut) {
		next := strings.IndexAny(inner[cut+1:], ":-=?+")
		if next < 0 {
			return -1
		}
		cut += 1 + next
	}
	return cut
}

// plainText is a value that every form of a placeholder can hold.
var plainText = regexp.MustCompile(`^[\w.+]+$`)

// refill puts a value in the place of the default of a text that is one
// placeholder; ok is false where it is not, or has no default.
func refill(text, value string) (filled string, ok bool) {
	rest, is := strings.CutPrefix(text, "${")
	if !is || closing(rest) != len(rest)-1 || !plainText.MatchString(value) {
		return "", false
	}
	inner := rest[:len(rest)-1]
	cut := nameEnd(inner)
	if cut <= 0 {
		return "", false
	}
	colon, fallback := "", inner[cut:]
	if strings.HasPrefix(fallback, ":") {
		colon, fallback = ":", fallback[1:]
	}
	if strings.HasPrefix(fallback, "?") || strings.HasPrefix(fallback, "+") {
		return "", false
	}
	if strings.HasPrefix(fallback, "-") || strings.HasPrefix(fallback, "=") {
		colon, fallback = colon+fallback[:1], fallback[1:]
	}
	if strings.Contains(fallback, "${") {
		if value, ok = refill(fallback, value); !ok {
			return "", false
		}
	}
	return "${" + inner[:cut] + colon + value + "}", true
}

// dashDefault reports whether the - at i begins a shell's default, as in
// ${NAME-5}, and is no part of a name such as ${redis-timeout:500}.
func dashDefault(inner string, i int) bool {
	return strings.ToUpper(inner[:i]) == inner[:i] && !strings.Contains(inner[i+1:], ":")
}

// closing is where the brace that is open at the beginning closes.
func closing(text string) int {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
