package library

import (
	"path"
	"regexp"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// Form is how a file is written.
type Form string

// The forms that emit writes and check reads.
const (
	YAML       Form = "yaml"
	JSON       Form = "json"
	Properties Form = "properties"
	Env        Form = "env"
	INI        Form = "ini"
	TOML       Form = "toml"
	Flags      Form = "flags"
	Systemd    Form = "systemd"
	Code       Form = "code"
)

var forms = map[string]Form{
	".yaml": YAML, ".yml": YAML, ".json": JSON, ".properties": Properties, ".cfg": Properties, ".conf": INI,
	".ini": INI, ".env": Env, ".toml": TOML, ".flags": Flags, ".sh": Flags, ".service": Systemd,
	".go": Code, ".java": Code, ".kt": Code, ".py": Code, ".js": Code, ".mjs": Code, ".ts": Code,
}

var (
	assignment = regexp.MustCompile(`^\s*(export\s+)?[\w.\-\[\]]+\s*=`)
	command    = regexp.MustCompile(`^(--?[A-Za-z]|[^\s:=#"'{]+\s+(\S+\s+)*--?[A-Za-z])`)
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
		case line == "[Unit]" || line == "[Service]":
			return Systemd
		case line != "---" && command.MatchString(line):
			return Flags
		case assignment.MatchString(line), line[0] == '[' && line[len(line)-1] == ']' && !strings.ContainsAny(line, ",{\""):
			return INI
		default:
			return YAML
		}
	}
	return YAML
}

// Config is one configuration of a lock that a file holds.
type Config struct {
	// What tells it from the file's others: the keys above it, an item of a
	// list, a document; "" where the file holds no other.
	What string
	// Line is that of its first setting.
	Line   int
	Values Values
	// Notes are what a reader should know of how it was read.
	Notes []string
	// Lacks are rules that are not checked while nobody gives a key, by the key.
	Lacks map[string]string
}

// Parse reads a library's settings out of a file that holds one
// configuration.
func Parse(lib Library, name string, data []byte) (Values, error) {
	all, err := ParseAll(lib, name, data)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, fault.Usagef("%s:%d: holds %d configurations, the second at line %d", name, all[0].Line, len(all), all[1].Line).Hintf("a file each")
	}
	return all[0].Values, nil
}

// ParseAll reads a library's settings out of a file: of a YAML, JSON,
// properties, env, TOML or flags file the keys that are the library's wherever
// they stand, also in a text nested as a string in another; of a source file
// its constants; of any file the comments "# lockplan: key = value" that emit
// writes for what the application keeps. A value that is filled in from
// elsewhere is not known. What cannot be told apart is an error.
func ParseAll(lib Library, name string, data []byte) ([]Config, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.IndexByte(text, 0) >= 0 {
		return nil, fault.Usagef("%s: not a text file", name)
	}
	m := matcherOf(lib)
	form := formOf(name, text)
	var out []Config
	var err error
	if form == Code {
		out, err = codeConfigs(lib, m, name, text)
	} else {
		r := reader{name: name, relevant: m.relevant}
		if err = r.read(form, text, origin{}, nil); err == nil {
			out, err = remarked(lib, m, r.out, name, text)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fault.Usagef("%s: no setting of %s found", name, lib.Name()).
			Hintf("its keys are %s; or give them as --set KEY=VALUE", strings.Join(keyNames(lib.Sheet()), ", "))
	}
	return out, nil
}

// picker is a library that knows better than a key's name which values of a
// file are its own.
type picker interface{ pick([]entry) []entry }

// rooter is a library whose configuration may be a mapping of an application's
// file: what stands in one begins there.
type rooter interface {
	roots([]entry) ([]entry, error)
}

// hitsOf are the entries that set a key of the library.
func hitsOf(lib Library, m matcher, entries []entry) ([]hit, error) {
	if r, ok := lib.(rooter); ok {
		var err error
		if entries, err = r.roots(entries); err != nil {
			return nil, err
		}
	}
	if p, ok := lib.(picker); ok {
		entries = p.pick(entries)
	}
	var found []hit
	for _, e := range entries {
		if e.list || strings.HasPrefix(e.path, whyKey+".") || e.path == forKey { // emit's own remarks in JSON
			continue
		}
		if h, ok, err := m.match(e); err != nil {
			return nil, err
		} else if ok {
			found = append(found, h)
		}
	}
	return found, nil
}

// configs gives each configuration among the entries of a file its values.
func configs(lib Library, m matcher, entries, remarks []entry) ([]Config, error) {
	found, err := hitsOf(lib, m, entries)
	if err != nil {
		return nil, err
	}
	var noted []hit
	for _, e := range remarks {
		if h, ok, err := m.match(e); err == nil && ok {
			noted = append(noted, h)
		}
	}
	if len(found) == 0 {
		found, noted = noted, nil
	}
	groups, err := tellApart(found, entries)
	if err == nil {
		groups, err = awake(lib, groups, entries)
	}
	if err != nil {
		return nil, err
	}
	var out []Config
	for _, g := range groups {
		for _, h := range noted { // of the document that they stand in
			if len(groups) == 1 || len(h.at) > 0 && g.in(h.at[:1]) {
				if _, own := g.hits[h.key.Name]; !own {
					g.hits[h.key.Name] = h
				}
			}
		}
		c := Config{What: g.name, Line: g.line(), Values: Values{}, Notes: g.notes}
		for _, h := range g.hits {
			v, err := h.value()
			if err != nil {
				return nil, err
			}
			c.Values[h.key.Name] = v
		}
		out = append(out, c)
	}
	return out, nil
}

// remarked are the configurations of a file with what its comments say, as far
// as the library can act on them.
func remarked(lib Library, m matcher, entries []entry, name, text string) ([]Config, error) {
	said, notes := remarks(name, text), []string(nil)
	if l, ok := lib.(interface {
		unheard(string, []entry) ([]entry, []string)
	}); ok {
		said, notes = l.unheard(text, said)
	}
	out, err := configs(lib, m, entries, said)
	for i := range out {
		out[i].Notes = append(out[i].Notes, notes...)
	}
	return out, err
}

func keyNames(s *Sheet) []string {
	var names []string
	for _, k := range s.Settable() {
		names = append(names, k.Name)
	}
	return names
}

// remarks are the settings that emit put into comments, each in the document
// that it stands in.
func remarks(name, text string) []entry {
	var out []entry
	number, document := 0, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "---" || strings.HasPrefix(line, "--- ") {
			document++
		}
		if m := remark.FindStringSubmatch(line); m != nil {
			at := []step{{kind: inItem, number: document}}
			out = append(out, entry{at: dotted(at, m[1]), path: m[1], Value: Value{Text: m[2], File: name, Line: number}})
		}
	}
	return out
}

// Pairs reads KEY=VALUE settings, as --set gives them, in the library's
// spelling.
func Pairs(lib Library, pairs []string) (Values, error) {
	values := Values{}
	m := matcherOf(lib)
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fault.Usagef("--set %q is not KEY=VALUE", pair).Hintf("--set %s=VALUE", keyNames(lib.Sheet())[0])
		}
		h, ok, err := m.whole(strings.TrimLeft(name, "-"), Value{Text: text})
		if err != nil {
			return nil, err
		}
		if !ok || h.key.Found {
			return nil, fault.Usagef("--set %q: %s has no such key", name, lib.Name()).
				Hintf("its keys are %s", strings.Join(keyNames(lib.Sheet()), ", "))
		}
		key := h.key.Name
		if _, twice := values[key]; twice {
			return nil, fault.Usagef("--set %q is given twice", key)
		}
		if values[key], err = h.value(); err != nil {
			return nil, err
		}
	}
	return values, nil
}
