package library

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// unchanged holds two trees against each other: they must be the same but for
// the paths that were set. It is what makes a change of text safe.
func unchanged(old, now *yaml.Node, path string, set map[string]bool) error {
	if set[path] {
		return nil
	}
	differs := fault.Usagef("line %d: the file cannot be changed in place without changing %q", old.Line, path).Hintf("write that part on lines of its own")
	if old.Kind != now.Kind || old.ShortTag() != now.ShortTag() || old.Value != now.Value || old.Anchor != now.Anchor {
		return differs
	}
	if old.Kind != yaml.MappingNode {
		if len(old.Content) != len(now.Content) {
			return differs
		}
		for i := range old.Content {
			if err := unchanged(old.Content[i], now.Content[i], fmt.Sprint(path, "[", i, "]"), set); err != nil {
				return err
			}
		}
		return nil
	}
	was, is := kept(old, path, set), kept(now, path, set)
	for len(is) > 0 {
		sub := join(path, is[0].key.Value)
		switch {
		case len(was) > 0 && was[0].key.Value == is[0].key.Value:
			if err := unchanged(was[0].value, is[0].value, sub, set); err != nil && !(null(was[0].value) && set[sub+".*"]) {
				return err
			}
			was = was[1:]
		case !set[sub+".*"]:
			return differs
		}
		is = is[1:]
	}
	if len(was) > 0 {
		return differs
	}
	return nil
}

// kept are the pairs of a mapping that were not set.
func kept(n *yaml.Node, path string, set map[string]bool) []pair {
	var out []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !set[join(path, n.Content[i].Value)] {
			out = append(out, pair{n, n.Content[i], n.Content[i+1]})
		}
	}
	return out
}
