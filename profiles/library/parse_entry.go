package library

import (
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// entry is one value of a file.
type entry struct {
	at   []step // where it stands, from the file down to its own key
	path string // its dotted key, as far as a library may know it
	odd  string // why its text means different things to different readers
	list bool   // a list under a key: its own value is none
	none bool   // a list without an item
	word bool   // a text, also where it looks like a number

	stands   []step // where it stands in the file, when at says whose it is
	rooted   bool   // in a mapping of an application's file, with which its path begins
	variable bool   // of a container, whose own place its path does not name

	offset int // of a constant in source code
	Value
}

// step is one level of where a value stands.
type step struct {
	kind   kind
	name   string
	number int // of a document, an item, or a key's repetition
	line   int
}

// kind says what a step goes into.
type kind int

const (
	inKey   kind = iota
	inItem       // a document, an item of a list, a service: never one lock with the next
	inBlock      // brackets of source code
	inText       // a text nested as a string, whose keys begin anew
)

// under is at with one more level; it never shares memory with another.
func under(at []step, s step) []step { return append(at[:len(at):len(at)], s) }

// dotted is at with a level for each part of a key.
func dotted(at []step, key string) []step {
	for part := range strings.SplitSeq(key, ".") {
		at = under(at, step{name: part})
	}
	return at
}

// lift is the entry as if it stood, as name, n levels further up: a setting of
// a block that belongs to the block's owner.
func (e entry) lift(n int, name string) entry {
	e.stands = e.where()
	e.at = under(e.at[:max(0, len(e.at)-1-n)], step{name: name})
	e.path = name
	return e
}

// where is the place of a value in its file.
func (e entry) where() []step {
	if e.stands != nil {
		return e.stands
	}
	return e.at
}

// limits of a configuration file; real ones have a few hundred values.
const (
	maxEntries = 100_000
	maxDepth   = 64
	maxVisits  = 4 * maxEntries
)

// reader collects the values of a file and of the texts nested in it.
type reader struct {
	name     string
	relevant func(text string) bool // whether a text names a key of the library
	out      []entry
	nested   int
}

// origin is the place of a text's lines in its file.
type origin struct {
	below int  // lines above its first
	flat  bool // it stands on one line of the file
}

func (o origin) line(n int) int {
	if o.flat {
		return o.below + 1
	}
	return o.below + n
}

// add keeps a value under a key that stands at a place.
func (r *reader) add(at []step, key string, v Value) {
	at = dotted(at, key)
	r.out = append(r.out, entry{at: at, path: pathOf(at), Value: v})
}

// addVariable keeps a variable of a container. Its name is the whole key.
func (r *reader) addVariable(at []step, name string, v Value) {
	r.out = append(r.out, entry{at: dotted(at, name), path: name, variable: true, Value: v})
}

// pathOf is the dotted key since the text began.
func pathOf(at []step) string {
	var parts []string
	for _, s := range at {
		switch s.kind {
		case inText:
			parts = parts[:0]
		case inKey:
			parts = append(parts, s.name)
		}
	}
	return strings.Join(parts, ".")
}

// read reads a text of a form.
func (r *reader) read(form Form, text string, o origin, at []step) error {
	if r.nested++; r.nested > 1000 {
		return fault.Usagef("%s: more than 1000 nested texts", r.name)
	}
	if crowded(text) {
		return fault.Usagef("%s: more than %d values", r.name, maxEntries)
	}
	var err error
	switch form {
	case YAML, JSON:
		err = r.yaml(text, o, at)
	case Properties:
		err = r.properties(text, o, at)
	case Env:
		err = r.env(text, o, at)
	case INI:
		err = r.ini(text, o, at)
	case TOML:
		err = r.toml(text, o, at)
	case Flags:
		r.flags(text, o, at)
	case Systemd:
		r.systemd(text, o, at)
	}
	if err == nil && len(r.out) > maxEntries {
		err = fault.Usagef("%s: more than %d values", r.name, maxEntries)
	}
	return err
}

// inner reads a value that is itself a configuration: a file in a ConfigMap by
// the extension of its key, else a YAML or JSON text such as Spring Boot's
// spring.redis.redisson.config. What is broken is an error where it names a
// key of the library.
func (r *reader) inner(key, text string, o origin, at []step) error {
	form, named := forms[extension(key)]
	if !named || form == Code {
		if form = YAML; !strings.Contains(text, "\n") && !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return nil
		}
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{{") { // a template's value
		return nil
	}
	before := len(r.out)
	err := r.read(form, text, o, under(at, step{kind: inText, line: o.line(1)}))
	if err != nil && !r.relevant(text) {
		r.out, err = r.out[:before], nil
	}
	return err
}

func extension(key string) string {
	if i := strings.LastIndexByte(key, '.'); i > 0 {
		return strings.ToLower(key[i:])
	}
	return ""
}

// join is a key below a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
