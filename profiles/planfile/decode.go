package planfile

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/near"
	"github.com/lockplan/lockplan/profiles/input"
)

// maxDepth and maxNodes end alias bombs and cycles: a plan file is four
// levels deep.
const (
	maxDepth = 16
	maxNodes = 200_000
)

// parse reads one YAML document into nodes and resolves its aliases.
func parse(path string, text []byte) (*yaml.Node, error) {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return nil, fault.Usagef("%s:%d: a NUL byte: this is no YAML", path, 1+bytes.Count(text[:i], []byte("\n")))
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fault.Usagef("%s: empty", path).Hintf("lockplan init writes a plan file to start from")
		}
		return nil, syntax(path, err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, syntax(path, err)
		}
		return nil, fault.Usagef("%s:%d: a second document", path, second.Line).Hintf("one plan file, one document")
	}
	budget := maxNodes
	root, err := expand(path, doc.Content[0], 0, &budget)
	if err != nil {
		return nil, err
	}
	return root, nil
}

// syntax turns the parser's "yaml: line 3: …" into "FILE:3: …".
func syntax(path string, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if line, what, ok := strings.Cut(rest, ": "); ok {
			return fault.Usagef("%s:%s: %s", path, line, printable(what))
		}
	}
	return fault.Usagef("%s: %s", path, printable(message))
}

// expand copies a tree with its aliases replaced by what they stand for.
func expand(path string, n *yaml.Node, depth int, budget *int) (*yaml.Node, error) {
	*budget--
	if depth > maxDepth || *budget < 0 {
		return nil, fault.Usagef("%s:%d: nested too deeply or too large, by aliases perhaps", path, n.Line)
	}
	if n.Kind == yaml.AliasNode {
		return expand(path, n.Alias, depth+1, budget)
	}
	out := *n
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		var err error
		if out.Content[i], err = expand(path, child, depth+1, budget); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// decoder collects every fault, so that one bad service does not hide
// another's.
type decoder struct {
	path   string
	faults []error
}

func (d *decoder) fail(at *yaml.Node, format string, args ...any) *fault.Error {
	e := fault.Usagef(format, args...)
	e.Msg = d.path + ":" + strconv.Itoa(at.Line) + ": " + e.Msg
	if !d.tired() {
		d.faults = append(d.faults, e)
	}
	return e
}

// maxFaults is how many faults are told: nobody mends more at a time.
const maxFaults = 50

// tired reports whether enough faults were found.
func (d *decoder) tired() bool { return len(d.faults) >= maxFaults }

// entry is one key of a mapping with its value.
type entry struct{ key, value *yaml.Node }

// mapping is a YAML mapping whose keys are taken one by one; what is left is
// unknown.
type mapping struct {
	d       *decoder
	entries []entry
}

// mapping reads a node as a mapping and refuses duplicate keys. A nil node is
// an empty mapping: its absence was reported where it was missed.
func (d *decoder) mapping(n *yaml.Node, what string) *mapping {
	m := &mapping{d: d}
	if n == nil {
		return m
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, "%s is no mapping of keys to values", what)
		return m
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content) && !d.tired(); i += 2 {
		key := n.Content[i]
		if key.Tag == "!!merge" {
			d.fail(key, "%s has a merge key (<<), which is not read", what).Hintf("write the keys out, or use defaults")
			continue
		}
		if key.Kind != yaml.ScalarNode {
			d.fail(key, "%s has a key that is no plain text", what)
			continue
		}
		if line, twice := seen[key.Value]; twice {
			d.fail(key, "%s is given twice, first in line %d", quote(key.Value), line)
			continue
		}
		seen[key.Value] = key.Line
		m.entries = append(m.entries, entry{key, n.Content[i+1]})
	}
	return m
}

// take removes a key and returns its value.
func (m *mapping) take(name string) (*yaml.Node, bool) {
	i := slices.IndexFunc(m.entries, func(e entry) bool { return e.key.Value == name })
	if i < 0 {
		return nil, false
	}
	value := m.entries[i].value
	m.entries = slices.Delete(m.entries, i, i+1)
	return value, true
}

// rest refuses every key that was not taken.
func (m *mapping) rest(what string, known ...string) {
	for _, e := range m.entries {
		if m.d.tired() {
			return
		}
		f := m.d.fail(e.key, "%s has no key %s", what, quote(e.key.Value))
		if meant := near.Name(e.key.Value, known); meant != "" {
			f.Hintf("did you mean %s?", meant)
		} else {
			f.Hintf("one of %s", strings.Join(known, ", "))
		}
	}
}

// text reads a scalar as it was written: a duration stays text, so that no
// parser can misread it.
func (d *decoder) text(n *yaml.Node, what string) string {
	if n.Tag == "!!null" || n.Kind == yaml.ScalarNode && n.Value == "" {
		d.fail(n, "%s has no value", what)
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		d.fail(n, "%s is no single value", what)
		return ""
	}
	return n.Value
}

func (d *decoder) sequence(n *yaml.Node, what string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "%s is no list", what)
		return nil
	}
	return n.Content
}

// inputs reads what is left of a mapping as inputs by the names of their
// flags; hold, pauses and rtts are mappings of their own. Also lists keys
// that the caller has taken, for the message.
func (d *decoder) inputs(m *mapping, what string, also ...string) input.Set {
	set := input.Set{}
	known := append(also, input.Hold, input.Pauses, input.RTTs)
	for _, k := range input.Keys {
		if !input.IsOption(k.Name) {
			known = append(known, k.Name)
		}
	}
	for _, prefix := range []string{input.Hold, input.Pauses, input.RTTs} {
		if n, said := m.take(prefix); said {
			d.observation(set, prefix, n)
		}
	}
	for i := 0; i < len(m.entries); {
		e := m.entries[i]
		key, ok := input.Find(e.key.Value)
		if !ok || input.IsOption(key.Name) {
			i++
			continue
		}
		m.entries = slices.Delete(m.entries, i, i+1)
		d.put(set, key, e.value)
	}
	m.rest(what, known...)
	return set
}

// put checks a value and adds it to the set.
func (d *decoder) put(set input.Set, key input.Key, n *yaml.Node) {
	v := input.Value{Texts: []string{d.text(n, key.Name)}, Source: d.path + ":" + strconv.Itoa(n.Line), File: d.path, Line: n.Line}
	if v.Texts[0] == "" {
		return
	}
	if err := input.Check(key, v); err != nil {
		d.faults = append(d.faults, err)
		return
	}
	set[key.Name] = v
}

// observation reads {file: …, metric: …} under hold, pauses or rtts.
func (d *decoder) observation(set input.Set, prefix string, n *yaml.Node) {
	m := d.mapping(n, prefix)
	if f, said := m.take("file"); said {
		paths := []*yaml.Node{f}
		if f.Kind == yaml.SequenceNode {
			paths = f.Content
		}
		v := input.Value{Source: d.path + ":" + strconv.Itoa(f.Line), File: d.path, Line: f.Line}
		for _, p := range paths {
			if path := d.join(p, d.text(p, "file")); path != "" {
				v.Texts = append(v.Texts, path)
			}
		}
		if len(v.Texts) > 0 {
			set[prefix] = v
		}
	}
	known := []string{"file"}
	for _, name := range input.Options() {
		known = append(known, name)
		value, said := m.take(name)
		if !said {
			continue
		}
		key, _ := input.Find(input.OptionKey(prefix, name))
		d.put(set, key, value)
		if name == "since" {
			if v, ok := set[key.Name]; ok {
				v.Texts = []string{d.join(value, v.Texts[0])}
				set[key.Name] = v
			}
		}
	}
	m.rest(prefix, known...)
}

// join makes a path of the plan file relative to its folder. A plan file
// comes with a pull request: it may not reach out of its folder.
func (d *decoder) join(n *yaml.Node, path string) string {
	if path == "" || path == "-" || filepath.IsAbs(path) {
		return path
	}
	if !filepath.IsLocal(path) {
		d.fail(n, "path %s leaves the folder of the plan file", quote(path)).Hintf("keep the file beside the plan, or name it by its whole path")
		return ""
	}
	return filepath.Join(filepath.Dir(d.path), path)
}

func hasControl(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0
}

// quote shows text from a file without letting it reach a terminal raw.
func quote(s string) string {
	if len(s) > 80 {
		s = s[:80] + "…"
	}
	return strconv.QuoteToGraphic(s)
}

func printable(s string) string {
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
