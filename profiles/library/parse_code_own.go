package library

import (
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// coder is a library of which source code says a setting in a way of its own.
// Lines of done were read already.
type coder interface {
	code(s source, done map[int]bool) ([]entry, error)
	// coded reports whether code alone reads a key.
	coded(key Key) bool
}

// own are the constants that the library itself finds in a source file.
func (s source) own(lib Library, done map[int]bool) ([]entry, error) {
	if c, ok := lib.(coder); ok {
		return c.code(s, done)
	}
	return nil, nil
}

// takeShared takes out the settings of objects that keep all locks of a
// program: they hold wherever in the file they stand.
func takeShared(lib Library, entries []entry) (rest, shared []entry, err error) {
	for _, e := range entries {
		key, _ := lib.Sheet().Key(e.path)
		if !key.Shared {
			rest = append(rest, e)
			continue
		}
		i := slices.IndexFunc(shared, func(o entry) bool { return o.path == e.path })
		if i < 0 {
			shared = append(shared, e)
		} else if o := shared[i]; o.Text != e.Text {
			return nil, nil, fault.Usagef("%s%s is %s here and %s on line %d: which locks are whose?", place(e.Value), e.path, e.Text, o.Text, o.Line).Hintf("a file for each provider")
		}
	}
	return rest, shared, nil
}

// share gives what holds for all to each lock of a file.
func share(out []Config, shared []entry) []Config {
	if len(shared) > 0 && len(out) == 0 {
		out = []Config{{Line: shared[0].Line, Values: Values{}}}
	}
	for _, c := range out {
		for _, e := range shared {
			c.Values[e.path] = e.Value
		}
	}
	return out
}

// again takes out of what calls pass what the file's own template has given to
// its constants: the call says nothing new.
func again(passed, written []entry) []entry {
	return slices.DeleteFunc(passed, func(p entry) bool { return saidIn(p, written) })
}

// unpassed takes out of what is assigned the constants of the file that a call
// passes: they are the call's.
func (s source) unpassed(assigned, called []entry) []entry {
	return slices.DeleteFunc(assigned, func(a entry) bool {
		open := s.opening(a.offset)
		return (open < 0 || s.language == "go" && s.names[open] == '(') && saidIn(a, called)
	})
}

func saidIn(e entry, others []entry) bool {
	return slices.ContainsFunc(others, func(o entry) bool { return o.path == e.path && o.Text == e.Text })
}

// enumerated is a constant of an enumeration of the library's: one of the words
// of a key, behind the names of its types.
func enumerated(key Key, value string) (string, bool) {
	word := value[strings.LastIndexByte(value, '.')+1:]
	if key.Unit != Word || namePattern.FindString(value) != value || word == "" {
		return "", false
	}
	return word, slices.Contains(strings.FieldsFunc(key.Range, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }), word)
}
