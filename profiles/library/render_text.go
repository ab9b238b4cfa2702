package library

import (
	"errors"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// yamlText is one YAML document that is changed where its nodes stand, so that
// everything else stays byte by byte: comments, quotes, order, indentation,
// anchors and merge keys.
type yamlText struct {
	lines []string
	root  *yaml.Node // nil for a document that holds nothing
}

func parseText(text string) (*yamlText, error) {
	// YAML ends lines at these too, and nodes would be looked for in others.
	if at := strings.IndexAny(strings.ReplaceAll(text, "\r\n", "\n\n"), "\r\u0085\u2028\u2029"); at >= 0 {
		return nil, fault.Usagef("line %d: a line break that is none outside YAML, such as a lone carriage return", 1+strings.Count(text[:at], "\n")).
			Hintf("line ends as \\n or \\r\\n")
	}
	t := &yamlText{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	if text == "" {
		t.lines = nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fault.Usagef("the file is not YAML: %q", err.Error())
	}
	if len(doc.Content) == 1 && !null(doc.Content[0]) {
		t.root = doc.Content[0]
		return t, t.inside(t.root)
	}
	return t, nil
}

// inside refuses nodes that the parser places beyond the text, as it does with
// what is empty at its end.
func (t *yamlText) inside(n *yaml.Node) error {
	if n.Line > len(t.lines) || n.Line > 0 && n.Column-1 > len(t.lines[n.Line-1]) {
		return cannot(n)
	}
	for _, c := range n.Content {
		if err := t.inside(c); err != nil {
			return err
		}
	}
	return nil
}

func (t *yamlText) String() string {
	if len(t.lines) == 0 {
		return ""
	}
	return strings.Join(t.lines, "\n") + "\n"
}

// again reads the text anew, after a change.
func (t *yamlText) again() error {
	now, err := parseText(t.String())
	if err == nil {
		*t = *now
	}
	return err
}

// null reports a value that is left out.
func null(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" && n.Anchor == ""
}

// pair is a key with its value, and the mapping that they stand in.
type pair struct{ in, key, value *yaml.Node }

// find is the pair at a path, and how many steps of it exist.
func (t *yamlText) find(path []string) (found pair, steps int, err error) {
	return t.findIn(t.root, path)
}

// findIn is find below a node. A name counts as it is spelled, else in another
// spelling of the same words.
func (t *yamlText) findIn(n *yaml.Node, path []string) (found pair, steps int, err error) {
	for n != nil && steps < len(path) {
		if err := editable(t.root, n, path); err != nil {
			return pair{}, steps, err
		}
		i := slices.IndexFunc(keyNodes(n), func(k *yaml.Node) bool { return k.Value == path[steps] })
		if i < 0 {
			i = slices.IndexFunc(keyNodes(n), func(k *yaml.Node) bool { return plain(k.Value) == plain(path[steps]) })
		}
		if i < 0 {
			return found, steps, nil
		}
		if twice(n, path[steps]) {
			return pair{}, steps, fault.Usagef("line %d: %s stands there twice", n.Line, path[steps])
		}
		found = pair{n, n.Content[2*i], n.Content[2*i+1]}
		steps++
		if n = found.value; null(n) {
			n = nil
		}
	}
	return found, steps, nil
}

func keyNodes(n *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, n.Content[i])
	}
	return out
}

// editable refuses what a change would alter elsewhere too.
func editable(root, n *yaml.Node, path []string) error {
	key := path[len(path)-1]
	switch {
	case n.Kind == yaml.AliasNode:
		return fault.Usagef("line %d: %s stands behind an anchor that other keys share", n.Line, key).Hintf("write the mapping out")
	case n.Kind != yaml.MappingNode:
		return fault.Usagef("line %d: %s cannot be set in what is no mapping", n.Line, key)
	}
	return unshared(root, n, key)
}

// unshared refuses a node whose anchor is used elsewhere.
func unshared(root, n *yaml.Node, key string) error {
	if line := aliasOf(root, n); n.Anchor != "" && line > 0 {
		return fault.Usagef("line %d: %s stands behind the anchor %s, which line %d uses", n.Line, key, n.Anchor, line).
			Hintf("write the value out in line %d", line)
	}
	return nil
}

// aliasOf is the line of an alias of n, 0 when nothing refers to it.
func aliasOf(in, n *yaml.Node) int {
	if in.Kind == yaml.AliasNode && in.Alias == n {
		return in.Line
	}
	for _, c := range in.Content {
		if line := aliasOf(c, n); line > 0 {
			return line
		}
	}
	return 0
}

// twice reports whether a mapping has a key more than once.
func twice(n *yaml.Node, key string) bool {
	count := 0
	for _, k := range keyNodes(n) {
		if k.Value == key {
			count++
		}
	}
	return count > 1
}

// add writes a new value at a path below the mapping at a place, the root
// where none is given, with a comment above it.
func (t *yamlText) add(below []step, path []string, comment, value string) error {
	base := pair{value: t.root}
	if len(below) > 0 {
		var err error
		if base, _, err = t.locate(below, path[len(path)-1]); err != nil {
			return err
		}
	}
	n := base.value
	if n != nil && null(n) {
		n = nil
	}
	found, steps, err := t.findIn(n, path)
	if err != nil {
		return err
	}
	switch steps {
	case 0:
		found = base
	case len(path):
		return fault.Usagef("line %d: %s stands there and holds more than a value", found.key.Line, found.key.Value)
	}
	return errors.Join(t.insert(found, path[steps:], comment, value), t.again())
}

// change puts a value in the place of another, with a comment above it. A
// placeholder takes it as its default, and quotes stay.
func (t *yamlText) change(p pair, comment, value string) error {
	if err := unshared(t.root, p.value, p.key.Value); err != nil {
		return err
	}
	if p.value.Kind == yaml.ScalarNode {
		if filled, ok := refill(p.value.Value, value); ok {
			value = filled
		}
		quote := ""
		switch {
		case strings.HasPrefix(value, "!") || strings.ContainsAny(value, `"'\`):
		case p.value.Style&yaml.DoubleQuotedStyle != 0:
			quote = `"`
		case p.value.Style&yaml.SingleQuotedStyle != 0:
			quote = `'`
		}
		value = quote + value + quote
	}
	mine := t.written(p)
	if p.in.Style&yaml.FlowStyle == 0 && (!mine || t.marked(p)) {
		comment += yours
	}
	if err := t.replace(p, value); err != nil {
		return err
	}
	t.comment(p, comment)
	return t.again()
}

// replace puts a value in the place of another.
func (t *yamlText) replace(p pair, value string) error {
	if null(p.value) {
		line, at := t.after(p.key)
		colon := strings.IndexByte(t.lines[line][at:], ':')
		if colon < 0 {
			return cannot(p.key)
		}
		t.splice(line, at+colon+1, line, at+colon+1, " "+value)
		return nil
	}
	line, at := t.place(p.value)
	endLine, end, err := t.end(p)
	if err != nil {
		return err
	}
	t.splice(line, at, endLine, end, value)
	return nil
}

func cannot(n *yaml.Node) error {
	return fault.Usagef("line %d: %s is written in a way that cannot be changed in place", n.Line, n.Value).Hintf("write it as %s: VALUE on a line of its own", n.Value)
}
