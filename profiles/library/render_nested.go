package library

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// nester is a library whose configuration an application's file may hold as a
// text, or name the file of.
type nester interface {
	// nested reports whether the mapping in a text at a path is one.
	nested(path string, inner *yaml.Node) bool
}

// refuser is a library that knows whose a file is.
type refuser interface {
	// refuses says why a file is somebody else's and where the keys belong, ""
	// when it is the library's own.
	refuses(path string, value *yaml.Node) (why, hint string)
}

// nestedText is a text in a document that is a configuration by itself.
type nestedText struct {
	path string
	pair pair
}

// nestedTexts are the texts of a document that are the library's.
func nestedTexts(fit Fitted, n *yaml.Node, path string) (out []nestedText, err error) {
	lib, ok := fit.Library.(nester)
	if !ok || n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		sub := join(path, key.Value)
		if value.Kind == yaml.MappingNode {
			inner, bad := nestedTexts(fit, value, sub)
			out = append(out, inner...)
			if err == nil {
				err = bad
			}
		}
		if r, ok := fit.Library.(refuser); ok && err == nil {
			if why, hint := r.refuses(sub, value); why != "" {
				err = fault.Usagef("line %d: %s", value.Line, why).Hintf("%s", hint)
			}
		}
		if value.Kind != yaml.ScalarNode || null(value) {
			continue
		}
		doc, bad := parseText(value.Value)
		if bad == nil && doc.root == nil {
			doc.root = &yaml.Node{Kind: yaml.MappingNode}
		}
		if bad == nil && lib.nested(sub, doc.root) {
			out = append(out, nestedText{sub, pair{n, key, value}})
		}
	}
	return out, err
}

// nestedIn is the one text of a document that the keys belong into; nil when
// they belong into the document itself.
func nestedIn(fit Fitted, doc *yamlText) (*nestedText, error) {
	texts, err := nestedTexts(fit, doc.root, "")
	switch {
	case len(texts) > 1:
		return nil, fault.Usagef("lines %d and %d each hold a configuration of %s", texts[0].pair.value.Line, texts[1].pair.value.Line, fit.Library.Name()).Hintf("leave one")
	case len(texts) == 0 && err != nil:
		return nil, err
	case len(texts) == 0:
		return nil, nil
	}
	only := texts[0]
	for _, s := range fit.Settings {
		if found, steps, _ := doc.find(whereIn(fit, s.Key)); owned(fit, s, "yaml") && steps > 0 {
			return nil, fault.Usagef("line %d: %s stands beside the text in line %d, which is what is loaded", found.key.Line, found.key.Value, only.pair.value.Line).
				Hintf("leave one of them")
		}
	}
	return &only, only.block()
}

// within changes the text of a literal block and keeps its indentation.
func (t *yamlText) within(n nestedText, change func(string) (string, error)) (string, error) {
	if n.pair.value.Anchor != "" {
		if err := unshared(t.root, n.pair.value, n.pair.key.Value); err != nil {
			return "", err
		}
	}
	first, last := n.pair.value.Line, t.endLine(n.pair) // first is the line after the header
	block := t.lines[first : last+1]
	indent := n.pair.key.Column + 1
	for _, line := range block {
		if text := strings.TrimLeft(line, " "); strings.TrimSpace(text) != "" {
			indent = len(line) - len(text)
			break
		}
	}
	var inner strings.Builder
	for _, line := range block {
		inner.WriteString(line[min(indent, len(line)):] + "\n")
	}
	text, err := change(inner.String())
	if err != nil {
		return "", atLine(err, first)
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); strings.TrimSpace(line) != "" {
			line = strings.Repeat(" ", indent) + line
		}
		lines = append(lines, line)
	}
	before := t.root
	t.lines = append(append(append([]string{}, t.lines[:first]...), lines...), t.lines[last+1:]...)
	if err := t.again(); err != nil {
		return "", err
	}
	return t.String(), unchanged(before, t.root, "", map[string]bool{n.path: true})
}

// nested: a component's configuration in a ConfigMap.
func (clientGo) nested(_ string, inner *yaml.Node) bool {
	return inner.Kind == yaml.MappingNode && slices.ContainsFunc(keyNodes(inner), func(k *yaml.Node) bool { return k.Value == "leaderElection" })
}

// textOf is the text in a document in which a lock's settings stand, nil when
// they stand in the document itself.
func textOf(doc *yamlText, hits map[string]hit) (*nestedText, error) {
	var in, out *hit
	for _, h := range hits {
		if h.text() != nil && (in == nil || h.Line < in.Line) {
			in = &h
		} else if h.text() == nil {
			out = &h
		}
	}
	if in == nil {
		return nil, nil
	}
	if out != nil {
		return nil, fault.Usagef("%s%s stands beside the text that holds %s in line %d", place(out.Value), out.path, in.path, in.Line).Hintf("leave one of them")
	}
	p, path, err := doc.locate(in.text(), in.path)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if !slices.EqualFunc(h.text(), in.text(), same) {
			return nil, fault.Usagef("%s%s stands in another text than %s in line %d", place(h.Value), h.path, in.path, in.Line).Hintf("a file each")
		}
	}
	text := nestedText{path, p}
	return &text, text.block()
}

// text is the place of the text that holds a setting, nil without one. The
// words of a command line are none.
func (h hit) text() []step {
	at := h.where()
	for i, s := range at {
		if s.kind == inText && i > 0 && at[i-1].kind == inKey && at[i-1].name != argumentStep {
			return at[:i]
		}
	}
	return nil
}

// block refuses a text that is no literal block.
func (n nestedText) block() error {
	if n.pair.value.Style&yaml.LiteralStyle != 0 && n.pair.in.Style&yaml.FlowStyle == 0 {
		return nil
	}
	return fault.Usagef("line %d: %s is a text that cannot be changed in place", n.pair.value.Line, n.path).Hintf("write it as %s: | with the lines below", n.pair.key.Value)
}
