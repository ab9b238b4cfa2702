package library

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

var (
	yamlLine  = regexp.MustCompile(`^line (\d+): `)
	octal     = regexp.MustCompile(`^[-+]?0[0-7_]+$`)
	templated = regexp.MustCompile(`(?m)^[^#"'\n]*\{\{`)
)

// yaml flattens every document of a YAML or JSON text.
func (r *reader) yaml(text string, o origin, at []step) error {
	w := walker{reader: r, o: o}
	dec := yaml.NewDecoder(strings.NewReader(text))
	for number := 0; ; number++ {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if templated.MatchString(text) {
			line := strings.Count(text[:templated.FindStringIndex(text)[1]], "\n") + 1
			return fault.Usagef("%s:%d: {{ is a template, filled in before anything reads it", r.name, o.line(line)).Hintf("check what it renders: helm template CHART")
		}
		if err != nil {
			line, what := 1, strings.TrimPrefix(err.Error(), "yaml: ")
			if m := yamlLine.FindStringSubmatch(what); m != nil {
				line, _ = strconv.Atoi(m[1])
				what = strings.TrimPrefix(what, m[0])
			}
			return fault.Usagef("%s:%d: not YAML: %q", r.name, o.line(line), what)
		}
		if len(doc.Content) == 0 {
			continue
		}
		root := doc.Content[0]
		s := step{kind: inItem, number: number, line: o.line(root.Line)}
		if kind := scalar(root, "kind"); kind != "" {
			s.name = strings.TrimSuffix(kind+"/"+scalar(child(root, "metadata"), "name"), "/")
		}
		if err := w.walk(under(at, s), root, 0); err != nil {
			return err
		}
	}
}

// crowded reports whether a text has so many keys or items that reading it
// takes long: no configuration has.
func crowded(text string) bool {
	keys := max(strings.Count(text, ": ")+strings.Count(text, ":\n")+strings.Count(text, `":`)/2, strings.Count(text, "=")/2)
	return keys > maxEntries || strings.Count(text, ",") > 5*maxEntries || strings.Count(text, "\n- ") > 2*maxEntries
}

// child is the value of a key in a mapping, nil where there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func scalar(n *yaml.Node, key string) string {
	if v := child(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

type walker struct {
	*reader
	o      origin
	visits int
}

func (w *walker) value(text string, n *yaml.Node) Value {
	return Value{Text: text, File: w.name, Line: w.o.line(n.Line)}
}

func (w *walker) walk(at []step, n *yaml.Node, depth int) error {
	if w.visits++; depth > maxDepth || w.visits > maxVisits || len(w.out) > maxEntries {
		return fault.Usagef("%s:%d: nested or repeated too deeply to be a configuration", w.name, w.o.line(n.Line))
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.walk(at, n.Alias, depth+1)
	case yaml.MappingNode:
		return w.mapping(at, n, depth)
	case yaml.SequenceNode:
		return w.sequence(at, n, depth)
	case yaml.ScalarNode:
		return w.scalar(at, n)
	}
	return nil
}

func (w *walker) mapping(at []step, n *yaml.Node, depth int) error {
	if tagged := n.Tag != "" && n.Tag != "!!map"; tagged {
		w.out = append(w.out, entry{at: at, path: pathOf(at), Value: w.value(tagText(n), n)})
	}
	pairs, err := w.pairs(n, depth)
	if err != nil {
		return err
	}
	if len(pairs) == 0 && len(at) > 0 && at[len(at)-1].kind == inKey { // the key is there all the same
		w.out = append(w.out, entry{at: at, path: pathOf(at), list: true, none: true, Value: w.value("", n)})
	}
	seen := map[string]int{}
	for _, p := range pairs {
		key := p.key.Value
		parts := strings.Split(key, ".")
		sub := at
		for i, part := range parts {
			s := step{name: part, line: w.o.line(p.key.Line)}
			if i == len(parts)-1 {
				s.number = seen[key]
			}
			sub = under(sub, s)
		}
		seen[key]++
		if isService(at, p.value) {
			sub = under(sub, step{kind: inItem, line: w.o.line(p.key.Line)})
		}
		if err := w.walk(sub, p.value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

type keyed struct{ key, value *yaml.Node }

// pairs are what a mapping amounts to: its own keys and then, of the mappings
// that << merges, those that neither it nor an earlier one of them has.
func (w *walker) pairs(n *yaml.Node, depth int) (out []keyed, err error) {
	if w.visits++; depth > maxDepth || w.visits > maxVisits {
		return nil, fault.Usagef("%s:%d: nested or repeated too deeply to be a configuration", w.name, w.o.line(n.Line))
	}
	var merged []*yaml.Node
	has := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag != "!!merge" {
			out = append(out, keyed{key, value})
			has[key.Value] = true
			continue
		}
		for value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if value.Kind == yaml.SequenceNode {
			merged = append(merged, value.Content...)
		} else {
			merged = append(merged, value)
		}
	}
	for _, m := range merged {
		for m.Kind == yaml.AliasNode {
			m = m.Alias
		}
		if m.Kind != yaml.MappingNode {
			return nil, fault.Usagef("%s:%d: << merges what is no mapping", w.name, w.o.line(m.Line))
		}
		more, err := w.pairs(m, depth+1)
		if err != nil {
			return nil, err
		}
		w.visits += len(more)
		for _, p := range more {
			if !has[p.key.Value] {
				has[p.key.Value] = true
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// isService reports whether a value is a service of a Compose file.
func isService(at []step, n *yaml.Node) bool {
	if len(at) == 0 || at[len(at)-1].name != "services" || at[len(at)-1].kind != inKey {
		return false
	}
	for _, key := range []string{"image", "build", "command", "entrypoint", "environment"} {
		if child(n, key) != nil {
			return true
		}
	}
	return false
}

func (w *walker) sequence(at []step, n *yaml.Node, depth int) error {
	if w.visits += len(n.Content); w.visits > maxVisits {
		return fault.Usagef("%s:%d: nested or repeated too deeply to be a configuration", w.name, w.o.line(n.Line))
	}
	if len(at) > 0 && at[len(at)-1].kind == inKey {
		w.out = append(w.out, entry{at: at, path: pathOf(at), list: true, none: len(n.Content) == 0, Value: w.value("", n)})
	}
	w.arguments(at, n)
	for i, it := range n.Content {
		for it.Kind == yaml.AliasNode {
			it = it.Alias
		}
		switch {
		case it.Kind == yaml.MappingNode && w.variable(at, it):
		case it.Kind == yaml.ScalarNode:
			if name, text, ok := strings.Cut(it.Value, "="); ok && len(at) > 0 && strings.HasPrefix(plain(at[len(at)-1].name), "env") {
				w.addVariable(at, name, w.value(text, it))
			}
		default:
			s := step{kind: inItem, number: i, name: scalar(it, "name"), line: w.o.line(it.Line)}
			if err := w.walk(under(at, s), it, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// variable reads an item of a container's env: a name with a value, or with
// another place where the value is.
func (w *walker) variable(at []step, n *yaml.Node) bool {
	name, value, from := scalar(n, "name"), child(n, "value"), child(n, "valueFrom")
	if name == "" || len(at) == 0 || plain(at[len(at)-1].name) != "env" || (value == nil) == (from == nil) {
		return false
	}
	if from != nil {
		w.addVariable(at, name, Value{File: w.name, Line: w.o.line(from.Line), Unknown: "comes from a ConfigMap, a Secret or the pod"})
	} else if value.Kind == yaml.ScalarNode {
		w.addVariable(at, name, w.value(value.Value, value))
	}
	return true
}

// argumentStep is the step into the words of a list.
const argumentStep = "#flags"

// arguments reads the flags of a container.
func (w *walker) arguments(at []step, n *yaml.Node) {
	var words []word
	for _, it := range n.Content {
		if it.Kind != yaml.ScalarNode {
			continue
		}
		if strings.Contains(it.Value, " -") { // a command for a shell
			for _, more := range shellWords(it.Value) {
				words = append(words, word{more.text, w.o.line(it.Line)})
			}
			continue
		}
		words = append(words, word{it.Value, w.o.line(it.Line)})
	}
	w.flagWords(words, under(at, step{kind: inKey, name: argumentStep}))
}

// scalar reads a value, and what is nested in it.
func (w *walker) scalar(at []step, n *yaml.Node) error {
	e := entry{at: at, path: pathOf(at), word: n.Tag == "!!str", none: n.Tag == "!!null", Value: w.value(n.Value, n)}
	if n.Style == 0 && n.Tag == "!!int" && octal.MatchString(n.Value) {
		e.odd = fmt.Sprintf("%s is octal to readers of YAML 1.1, such as Java's, and decimal to others", n.Value)
	}
	if ofContainer(at) {
		e.path, e.variable = at[len(at)-1].name, true
	}
	w.out = append(w.out, e)
	if len(at) == 0 {
		return nil
	}
	key := at[len(at)-1].name
	o := origin{below: w.o.line(n.Line) - 1, flat: true}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && !w.o.flat {
		o = origin{below: w.o.line(n.Line)}
	}
	switch plain(key) {
	case "command", "entrypoint", "args", "cmd", "run", "script":
		w.flags(n.Value, o, at)
		return nil
	}
	if strings.ContainsAny(n.Value, "\n{") {
		return w.inner(keyName(at), n.Value, o, at)
	}
	return nil
}

// ofContainer reports whether a place is a variable in a container's
// environment, spelled as a mapping.
func ofContainer(at []step) bool {
	n := len(at)
	return n > 2 && at[n-3].kind == inItem && at[n-2].kind == inKey && (at[n-2].name == "environment" || at[n-2].name == "env") && n > 3
}

// keyName is the key as the file spells it, dots and all, as far as the
// extension of a file name needs it.
func keyName(at []step) string {
	if len(at) < 2 || at[len(at)-2].kind != inKey || at[len(at)-2].line != at[len(at)-1].line {
		return at[len(at)-1].name
	}
	return at[len(at)-2].name + "." + at[len(at)-1].name
}

// tagText spells a tagged mapping on one line: "!<class> {delay: PT0.5S}".
func tagText(n *yaml.Node) string {
	var parts []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		parts = append(parts, n.Content[i].Value+": "+n.Content[i+1].Value)
	}
	tag := n.Tag
	if !strings.HasPrefix(tag, "!") { // written out: !<tag>
		tag = "!<" + tag + ">"
	}
	return tag + " {" + strings.Join(parts, ", ") + "}"
}
