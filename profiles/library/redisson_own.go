package library

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// strangeKeys is where pick leaves the keys of Redisson's own file that this
// version does not have.
const strangeKeys = "unknownKeys"

// mostStrange are so many of them that more help nobody.
const mostStrange = 20

// strange are the keys of Redisson's own files among the entries that no place
// of it has, one entry for each file: its text is "block.key:line, ...". A file
// is Redisson's own when it is YAML with a mode's block at its root and no
// section of anybody else's.
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

// ownFile reports whether the entries of a document are Redisson's: one of its
// modes has a block, and whatever else has one is its too or an object of a
// class.
func ownFile(entries []entry) bool {
	tagged := map[string]bool{}
	for _, e := range entries {
		tagged[e.path] = true
	}
	own := false
	for _, e := range entries {
		section, _, nested := strings.Cut(e.path, ".")
		switch {
		case !nested, slices.Contains(redissonRoot, section) && redissonOnly[section] == nil, tagged[section]:
		case redissonModes[strings.ToLower(section)] == "":
			return false
		default:
			own = true
		}
	}
	return own
}

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
// keys: a document of YAML.
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
	return fmt.Sprint(e.at[:n]), !known || form == YAML
}
