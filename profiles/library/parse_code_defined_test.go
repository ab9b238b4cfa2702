package library

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The grammars of the four languages: a name, its type behind it or behind a
// colon, and a sign that assigns; no comparison, no arrow, no sum.
func TestDefinitions(t *testing.T) {
	for text, want := range map[string]string{
		"const ttl time.Duration = 3\n":     "time.Duration ttl",
		"ttl := 3\n":                        "ttl",
		"TTL: int = 3\n":                    "TTL int",
		"let ttl: number = 3\n":             "let number ttl",
		"private final long ttl = 3;\n":     "long ttl",
		"self.key = 3\n":                    "self.key",
		"if ttl == 3 or b != 4: c += 5\n":   "",
		"xs.map(x => 3); a >= 4; a <= 5;\n": "",
		"# ttl = 3\n":                       "",
	} {
		s := newSource("x.py", "py", text)
		for name, at := range s.defined {
			if len(at) != 1 || !strings.HasPrefix(strings.TrimSpace(text[at[0]:]), "3") {
				t.Errorf("%q: %s stands at %v", text, name, at)
			}
		}
		if got := strings.Join(slices.Sorted(maps.Keys(s.defined)), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
