package library

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// standing are the settings of the one lock that a text configures, by key,
// each with the place where it stands. below is how many lines of the file come
// before the text. Several locks, and what cannot be told apart, are errors.
func standing(lib Library, form Form, text string, below int) (map[string]hit, error) {
	m := matcherOf(lib)
	r := reader{name: inFile, relevant: m.relevant}
	if err := r.read(form, text, origin{below: below}, nil); err != nil {
		return nil, err
	}
	found, err := hitsOf(lib, m, r.out)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(h hit) bool { return len(words(h.key.Name)) == 1 && otherwise(h.path) || !h.own() })
	groups, err := tellApart(found, r.out)
	if err == nil {
		groups, err = awake(lib, groups, r.out)
	}
	switch {
	case err != nil:
		return nil, err
	case len(groups) > 1:
		return nil, fault.Usagef("%sa lock of its own beside that of line %d, and emit writes one", place(Value{File: inFile, Line: groups[1].line()}), groups[0].line()).
			Hintf("a file each")
	case len(groups) == 0:
		return nil, nil
	}
	return groups[0].hits, nil
}

// inFile stands for the file's name in an error whose line is the file's own,
// not that of a text in it.
const inFile = "line"

// ownLine words an error of standing like those of the editors.
func ownLine(err error) error {
	if rest, ok := strings.CutPrefix(err.Error(), inFile+":"); ok {
		return fault.Usagef("line %s", rest).Hintf("%s", fault.HintOf(err))
	}
	return err
}

// home is where a lock's new keys go: beside those that stand there already.
type home struct {
	at   []step // the mapping, without the library's own nesting
	flat bool   // without that nesting
	like string // a key of the lock, whose spelling the others take on
	line int    // of that key; 0 is none, and the home is the root
	of   []step // where that key stands
	nest []step // what of the library's own nesting it stands in
}

// homeOf is where the first of the settings stands.
func homeOf(fit Fitted, hits map[string]hit) home {
	for _, s := range fit.Settings {
		h, there := hits[s.Key]
		if !there || absolute(s.Key) || h.variable || slices.ContainsFunc(h.where(), func(s step) bool { return s.kind == inText }) {
			continue
		}
		at := h.where()
		last := strings.TrimRight(strings.TrimSuffix(at[len(at)-1].name, h.unitName), "_-")
		for i, path := range [][]string{whereIn(fit, s.Key), strings.Split(s.Key, ".")} {
			if above := len(at) - len(path); above >= 0 && slices.EqualFunc(at[above:], path, func(s step, name string) bool {
				return s.kind == inKey && plain(s.name) == plain(name)
			}) {
				return home{at: at[:above], like: last, line: h.Line, of: at, nest: at[above : len(at)-1], flat: i == 1}
			}
		}
		return home{at: at[:len(at)-1], like: last, line: h.Line, of: h.where(), flat: true}
	}
	return home{}
}

// homeIn is homeOf, else the mapping of a document that is the library's and
// holds none of the settings yet.
func homeIn(fit Fitted, hits map[string]hit, text string, below int) (home, error) {
	h := homeOf(fit, hits)
	if l, ok := fit.Library.(interface {
		emptyHome(text string, below int) (home, error)
	}); ok && h.line == 0 {
		return l.emptyHome(text, below)
	}
	return h, nil
}

// absolute reports whether a key's name says by itself where it stands, such
// as spring.data.redis.timeout.
func absolute(key string) bool { return strings.Contains(key, ".") }

// path is that of a new key below the home, in its spelling.
func (h home) path(fit Fitted, key string) []string {
	path := slices.Clone(whereIn(fit, key))
	if h.flat {
		path = strings.Split(key, ".")
	}
	like := h.like
	for i, s := range h.nest {
		if i < len(path)-1 && plain(path[i]) == plain(s.name) {
			path[i] = s.name
		}
		if plain(like) == like { // a word alone does not tell
			like = s.name
		}
	}
	for i, name := range path {
		if i >= len(h.nest) || path[i] != h.nest[i].name {
			path[i] = spelled(name, like)
		}
	}
	return path
}

// spelled is a name in camelCase as another name is spelled: with dashes, with
// underscores, in capitals, or as it is.
func spelled(name, like string) string {
	sep := "_"
	switch {
	case strings.Contains(like, "-"):
		sep = "-"
	case !strings.Contains(like, "_"):
		return name
	}
	out := strings.ToLower(strings.Join(words(name), sep))
	if strings.ToUpper(like) == like {
		return strings.ToUpper(out)
	}
	return out
}

// says is a setting's text in the unit that the key's name in the file has.
func (h hit) says(text string) (string, error) {
	if h.unit == 0 {
		return text, nil
	}
	d, err := h.key.Unit.Parse(text)
	if err != nil {
		return "", err
	}
	number := new(big.Rat).SetFrac64(int64(d), int64(h.unit))
	if number.IsInt() {
		return number.Num().String(), nil
	}
	out := strings.TrimRight(number.FloatString(12), "0")
	if back, ok := new(big.Rat).SetString(out); !ok || back.Cmp(number) != 0 || h.unit > time.Hour {
		return "", fault.Usagef("%s%s cannot say %s in %s", place(h.Value), h.path, text, h.unitName).Hintf("%s, with a unit that can", h.key.Name)
	}
	return out, nil
}

// own reports whether a place in the file is the key's own, not that of a
// block from which it follows.
func (h hit) own() bool {
	at := h.where()
	last := at[len(at)-1].name
	return last == h.path[strings.LastIndexByte(h.path, '.')+1:]
}

// yours marks, behind where a number comes from, a key that somebody else
// wrote: a plan changes it and never takes it away.
const yours = "; the key is yours"
