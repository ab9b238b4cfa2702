package library

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// entry is one value of a file under its dotted path.
type entry struct {
	path string
	Value
}

// limits of a configuration file; real ones have a few hundred values.
const (
	maxEntries = 100_000
	maxDepth   = 64
)

// Form is how a file is written.
type Form string

// The forms that emit writes and check reads. Code is read by its lockplan
// comments only.
const (
	YAML       Form = "yaml"
	JSON       Form = "json"
	Properties Form = "properties"
	Env        Form = "env"
	TOML       Form = "toml"
	Flags      Form = "flags"
	Code       Form = "code"
)

var forms = map[string]Form{
	".yaml": YAML, ".yml": YAML, ".json": JSON, ".properties": Properties, ".cfg": Properties, ".conf": Properties,
	".ini": TOML, ".env": Env, ".toml": TOML, ".flags": Flags,
	".go": Code, ".java": Code, ".kt": Code, ".py": Code, ".js": Code, ".mjs": Code, ".ts": Code,
}

var (
	assignment = regexp.MustCompile(`^\s*(export\s+)?[\w.\-\[\]]+\s*=`)
	remark     = regexp.MustCompile(`^\s*(?:#|//)\s*lockplan:\s*([\w.\-]+)\s*=\s*(.*?)\s*$`)
)

// formOf tells a file's form by its name, else by its content.
func formOf(name, text string) Form {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	if form, ok := forms[strings.ToLower(path.Ext(base))]; ok {
		return form
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "--") && line != "---":
			return Flags
		case assignment.MatchString(line):
			return Properties
		default:
			return YAML
		}
	}
	return YAML
}

// Parse reads a library's settings out of a file: of a YAML, JSON, properties,
// env, TOML or flags file the keys that are the library's wherever they stand,
// also in a YAML text nested as a string in another; of any file the comments
// "# lockplan: key = value" that emit writes. unset names the keys whose value
// comes from an environment variable without a default.
func Parse(lib Library, name string, data []byte) (values Values, unset []string, err error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, nil, fault.Usagef("%s: not a text file", name)
	}
	var entries []entry
	switch formOf(name, text) {
	case YAML, JSON:
		entries, err = yamlEntries(name, text, 0)
	case Flags:
		entries = flagEntries(name, text)
	case Code:
	default:
		entries, err = flatEntries(name, text)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(entries) > maxEntries {
		return nil, nil, fault.Usagef("%s: more than %d values", name, maxEntries)
	}
	values = Values{}
	if p, ok := lib.(picker); ok {
		entries = p.pick(entries)
	}
	entries = append(entries, remarks(name, text)...)
	for _, key := range lib.Sheet().AllKeys() {
		e, ok := find(entries, key)
		if !ok {
			continue
		}
		resolved, ok := placeholder(e.Text)
		if !ok {
			unset = append(unset, key.Name+": "+place(e.Value)+"comes from the environment and has no default")
			continue
		}
		e.Text = resolved
		values[key.Name] = e.Value
	}
	if len(values)+len(unset) == 0 {
		return nil, nil, fault.Usagef("%s: no setting of %s found", name, lib.Name()).
			Hintf("its keys are %s; or give them as --set KEY=VALUE", strings.Join(keyNames(lib.Sheet()), ", "))
	}
	return values, unset, nil
}

// picker is a library that knows better than a key's name which values of a
// file are its own.
type picker interface{ pick([]entry) []entry }

func keyNames(s *Sheet) []string {
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Name)
	}
	return names
}

// find is the last entry whose path ends in one of the key's spellings; a
// whole path wins over the end of one.
func find(entries []entry, key Key) (entry, bool) {
	var found entry
	ok, whole := false, false
	spellings := append([]string{key.Name}, key.Other...)
	for _, e := range entries {
		p := plain(e.path)
		for _, s := range spellings {
			s = plain(s)
			full := p == s || strings.ReplaceAll(p, ".", "") == strings.ReplaceAll(s, ".", "")
			if (full || strings.HasSuffix(p, "."+s)) && (full || !whole) {
				found, ok, whole = e, true, full
			}
		}
	}
	return found, ok
}

// plain drops what spellings of one key differ in: case, - and _, and the
// unit that JSON carries in the name.
func plain(s string) string {
	s = strings.ToLower(strings.NewReplacer("-", "", "_ms", "", "_s", "", "_", "").Replace(s))
	return s
}

// remarks are the settings that emit put into comments.
func remarks(name, text string) []entry {
	var out []entry
	number := 0
	for line := range strings.Lines(text) {
		number++
		if m := remark.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			out = append(out, entry{m[1], Value{m[2], name, number}})
		}
	}
	return out
}

var placeholders = regexp.MustCompile(`\$\{[A-Za-z_][\w.]*(?::-?([^{}]*))?\}`)

// placeholder replaces ${NAME:-default} and Spring's ${NAME:default} by the
// default; ok is false where there is none.
func placeholder(text string) (resolved string, ok bool) {
	ok = true
	resolved = placeholders.ReplaceAllStringFunc(text, func(m string) string {
		if !strings.Contains(m, ":") {
			ok = false
			return ""
		}
		return placeholders.FindStringSubmatch(m)[1]
	})
	return resolved, ok
}

// Pairs reads KEY=VALUE settings, as --set gives them, in the library's
// spelling.
func Pairs(lib Library, pairs []string) (Values, error) {
	values := Values{}
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fault.Usagef("--set %q is not KEY=VALUE", pair).Hintf("--set %s=VALUE", keyNames(lib.Sheet())[0])
		}
		i := slices.IndexFunc(lib.Sheet().AllKeys(), func(k Key) bool {
			return plain(k.Name) == plain(name) || slices.ContainsFunc(k.Other, func(o string) bool { return plain(o) == plain(strings.TrimLeft(name, "-")) })
		})
		if i < 0 {
			return nil, fault.Usagef("--set %q: %s has no such key", name, lib.Name()).
				Hintf("its keys are %s", strings.Join(keyNames(lib.Sheet()), ", "))
		}
		key := lib.Sheet().AllKeys()[i].Name
		if _, twice := values[key]; twice {
			return nil, fault.Usagef("--set %q is given twice", key)
		}
		values[key] = Value{Text: text}
	}
	return values, nil
}
