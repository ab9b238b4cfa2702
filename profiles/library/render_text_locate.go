package library

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// locate finds what a reader read at a place, and the path of it as unchanged
// names it. What is shared with another place is refused. key names what is
// looked for.
func (t *yamlText) locate(at []step, key string) (found pair, path string, err error) {
	if len(at) > 0 && at[0].kind == inItem { // the document
		at = at[1:]
	}
	if len(at) == 0 {
		return pair{value: t.root}, "", nil
	}
	if t.root == nil {
		return pair{}, "", fault.Usagef("line 1: %s cannot be found again", key)
	}
	found, path, err = t.step(pair{value: t.root}, "", at, key)
	if err == nil && found.value == nil {
		err = fault.Usagef("line %d: %s is written in a way that cannot be changed in place", at[0].line, key).Hintf("write it as %s: VALUE on a line of its own", key)
	}
	return found, path, err
}

// base is the mapping that a home lies in, with its path. Where the names above
// the home's keys are spelled with dots in one key, new keys begin with them.
func (t *yamlText) base(h home) (at []step, dotted, path string, err error) {
	if len(h.at) == 0 {
		return nil, "", "", nil
	}
	beside, _, err := t.locate(h.of, h.like)
	if err != nil {
		return nil, "", "", err
	}
	at = h.of[:len(h.of)-len(strings.Split(beside.key.Value, "."))]
	if len(at) < len(h.at) {
		dotted = strings.Join(namesOf(h.at[len(at):]), ".") + "."
	} else {
		at = h.at
	}
	_, path, err = t.locate(at, h.like)
	return at, dotted, path, err
}

// step goes on from a pair to what lies at a place below it; no pair is none
// there.
func (t *yamlText) step(from pair, path string, at []step, key string) (pair, string, error) {
	n := from.value
	if len(at) == 0 {
		return from, path, nil
	}
	if n.Kind == yaml.AliasNode {
		return pair{}, "", fault.Usagef("line %d: %s stands behind an anchor that other keys share", n.Line, key).Hintf("write the mapping out")
	}
	if err := unshared(t.root, n, key); err != nil {
		return pair{}, "", err
	}
	switch {
	case n.Kind == yaml.SequenceNode && at[0].kind == inItem && at[0].number < len(n.Content):
		item := n.Content[at[0].number]
		return t.step(pair{in: n, key: item, value: item}, fmt.Sprint(path, "[", at[0].number, "]"), at[1:], key)
	case n.Kind != yaml.MappingNode:
		return pair{}, "", nil
	case at[0].kind == inItem: // a service of Compose
		return t.step(from, path, at[1:], key)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		parts := strings.Split(name, ".")
		if len(parts) > len(at) || !spell(at[:len(parts)], parts) {
			continue
		}
		if twice(n, name) {
			return pair{}, "", fault.Usagef("line %d: %s stands there twice", n.Line, name)
		}
		found, sub, err := t.step(pair{n, n.Content[i], n.Content[i+1]}, join(path, name), at[len(parts):], key)
		if err != nil || found.value != nil {
			return found, sub, err
		}
	}
	return pair{}, "", nil
}

// spell reports whether steps are the parts of a key.
func spell(at []step, parts []string) bool {
	for i, s := range at {
		if s.kind != inKey || s.name != parts[i] {
			return false
		}
	}
	return true
}
