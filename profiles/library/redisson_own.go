package library

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/near"
)

// strangeKeys is where pick leaves the keys of Redisson's own file that this
// version does not have.
const strangeKeys = "unknownKeys"

// mostStrange are so many of them that more help nobody.
const mostStrange = 20

// strange are the keys of Redisson's own files among the entries that no place
// of it has, one entry for each file: its text is "block.key:line, ...".
func (l redisson) strange(entries []entry) []entry {
	var out []entry
	for _, file := range ownFiles(entries) {
		var found []string
		var first entry
		for _, e := range file {
			parts := strings.Split(e.path, ".")
			block, key := "", parts[0]
			if len(parts) > 1 && redissonOnly[parts[0]] != nil {
				block, key = parts[0], parts[1]
			}
			if !l.strangeKey(block, key) {
				continue
			}
			name := strings.TrimPrefix(block+"."+key, ".")
			line := e.at[len(e.at)-len(parts)+strings.Count(name, ".")].line
			if found == nil {
				first = entry{at: e.at, path: e.path, Value: Value{File: e.File, Line: line}}.lift(len(parts)-1, strangeKeys)
			}
			if spot := fmt.Sprintf("%s:%d", name, line); len(found) < mostStrange && !slices.Contains(found, spot) {
				found = append(found, spot)
			}
		}
		if found != nil {
			first.Text = strings.Join(found, ", ")
			out = append(out, first)
		}
	}
	return out
}

// ownFiles are the entries of each of Redisson's own files.
func ownFiles(entries []entry) (out [][]entry) {
	files, order := map[string][]entry{}, []string(nil)
	for _, e := range entries {
		if root, ok := ownRoot(e); ok {
			if files[root] == nil {
				order = append(order, root)
			}
			files[root] = append(files[root], e)
		}
	}
	for _, root := range order {
		if ownFile(files[root]) {
			out = append(out, files[root])
		}
	}
	return out
}

// ownFile reports whether the entries of a document are Redisson's: a block of
// one of its modes stands at the root, be it misspelled, or a key that nobody
// else has there. Its loader then takes the whole document.
func ownFile(entries []entry) bool {
	return slices.ContainsFunc(entries, func(e entry) bool {
		name, _, nested := strings.Cut(e.path, ".")
		if nested || e.list {
			return redissonModes[strings.ToLower(name)] != "" || near.Name(name, redissonBlocks) != ""
		}
		return slices.Contains(redissonRoot, name) && !slices.Contains(anybodys, name)
	})
}

// redissonBlocks are the names of the modes' blocks.
var redissonBlocks = slices.Sorted(maps.Keys(redissonOnly))

// anybodys are keys of Redisson's root that an application's file may have for
// itself.
var anybodys = strings.Fields("codec executor password protocol threads username")

// strangeKey reports whether this version has no such key at a place. Keys of
// the sheet are looked at by their rule wherever they stand.
func (l redisson) strangeKey(block, key string) bool {
	if !slices.Contains(ownKeys(block), key) {
		return true
	}
	_, ours := redissonSheet.Key(key)
	return !ours && l.lacking(spanOf(block, key)) != ""
}

// ownRoot tells the text that an entry stands in, if all that lies between is
// keys: a document of YAML, or of JSON, which is YAML too.
func ownRoot(e entry) (string, bool) {
	n := len(e.at) - strings.Count(e.path, ".") - 1
	if e.rooted || n < 1 || e.at[n-1].kind != inItem || slices.ContainsFunc(e.at[n:], func(s step) bool { return s.kind != inKey }) {
		return "", false
	}
	named := path.Base(e.File)
	for i, s := range e.at[:n] {
		if s.kind == inText && i > 0 {
			named = "text." + e.at[i-1].name
		}
	}
	form, known := forms[extension(named)]
	return fmt.Sprint(e.at[:n]), !known || form == YAML || form == JSON
}
