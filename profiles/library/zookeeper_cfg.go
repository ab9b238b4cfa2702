package library

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// exactly are entries without those of a zoo.cfg whose keys the server spells
// otherwise: it tells them apart by case and passes over what it does not know.
// The keys that it passes over are left, for each file, as "key:line, ...".
func exactly(entries []entry) []entry {
	m := matcherOf(zooKeeper{})
	var out []entry
	files := map[string]int{} // where in out a file's are
	for _, e := range entries {
		h, ok, err := m.match(e)
		if !inCfg(e) || err != nil || !ok || h.key.Name == e.path || !slices.ContainsFunc(serverKeys, func(k Key) bool { return k.Name == h.key.Name }) {
			out = append(out, e)
			continue
		}
		spot, at := fmt.Sprintf("%s:%d", e.path, e.Line), e.at
		e = e.lift(strings.Count(e.path, "."), strangeKeys)
		file := fmt.Sprint(at[:len(e.at)-1])
		if i, seen := files[file]; seen {
			out[i].Text += ", " + spot
			continue
		}
		files[file] = len(out)
		e.Text = spot
		out = append(out, e)
	}
	return out
}

// inCfg reports whether an entry stands in a file of ZooKeeper's servers.
func inCfg(e entry) bool {
	for i := len(e.at) - 1; i > 0; i-- {
		if e.at[i].kind == inText {
			return e.at[i-1].name == "cfg"
		}
	}
	return strings.EqualFold(path.Ext(e.File), ".cfg")
}

func (zooKeeper) pick(entries []entry) []entry   { return exactly(entries) }
func (curator) pick(entries []entry) []entry     { return exactly(entries) }
func (goZooKeeper) pick(entries []entry) []entry { return exactly(entries) }
