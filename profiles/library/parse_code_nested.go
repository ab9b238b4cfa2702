package library

import (
	"regexp"
	"slices"
	"strings"
)

// givenTo is what stands before the bracket of a Go literal: "SessionOpts:
// &api.SessionEntry", "opts := &api.SessionEntry".
var givenTo = regexp.MustCompile(`(\w+)\s*(?::=|:|=)\s*&?[\w.]*\s*$`)

// farthest a field's name stands before its literal's bracket.
const farthest = 200

// nested is a name with the field that its literal is given to, and the place
// of that field, where the library has a key of both: SessionOpts.TTL. The
// literal may be a variable that is given to it.
func (s source) nested(lib Library, name string, offset int) (string, int) {
	is := func(owner string) bool {
		return slices.ContainsFunc(lib.Sheet().Keys, func(k Key) bool { return k.Name == owner+"."+name })
	}
	inAny := slices.ContainsFunc(lib.Sheet().Keys, func(k Key) bool { return strings.HasSuffix(k.Name, "."+name) })
	if s.language != "go" || !inAny {
		return name, offset
	}
	open := max(s.opening(offset), 0)
	from := max(open-farthest, 0)
	at := givenTo.FindStringSubmatchIndex(s.names[from:open])
	if at == nil {
		return name, offset
	}
	owner := s.names[from+at[2] : from+at[3]]
	if is(owner) {
		return owner + "." + name, from + at[2]
	}
	given := regexp.MustCompile(`(\w+)\s*[:=]\s*&?` + owner + `\b`)
	for _, use := range given.FindAllStringSubmatchIndex(s.names, -1) {
		if outer := s.names[use[2]:use[3]]; is(outer) {
			return outer + "." + name, use[2]
		}
	}
	return name, offset
}

// bracket is where a bracket stands, and which one is open behind it; -1 is
// none.
type bracket struct{ at, open int }

func bracketsOf(names string) (out []bracket) {
	var open []int
	for i := range len(names) {
		switch names[i] {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		default:
			continue
		}
		b := bracket{i, -1}
		if len(open) > 0 {
			b.open = open[len(open)-1]
		}
		out = append(out, b)
	}
	return out
}

// opening is where the bracket around an offset opens, -1 outside of any.
func (s source) opening(offset int) int {
	i, _ := slices.BinarySearchFunc(s.brackets, offset, func(b bracket, at int) int { return b.at - at })
	if i == 0 {
		return -1
	}
	return s.brackets[i-1].open
}
