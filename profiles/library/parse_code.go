package library

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// source is a file in a programming language.
type source struct {
	file     string
	language string // "go", "java", "py", "js": the key of the library's templates
	code     string // without comments; the same length as the file
	names    string // without the contents of texts either
	starts   []int  // of the lines
	brackets []bracket
	several  map[int]multiple                   // by the place of their sign
	given    map[*regexp.Regexp]map[string]bool // what calls are given, as far as it was asked for
	defined  map[string][]int                   // the places of the values that a name alone is given
}

var languages = map[string]string{".go": "go", ".java": "java", ".kt": "java", ".py": "py", ".js": "js", ".mjs": "js", ".ts": "js"}

// codeConfigs reads the constants of a source file: what emit wrote, line by
// line, and elsewhere what is assigned or passed under a key's name. The code
// counts; what lockplan's comments say beside it is only for what the code
// does not hold. A value that is no constant is an error.
func codeConfigs(lib Library, m matcher, file, text string) ([]Config, error) {
	s := newSource(file, languages[extension(file)], text)
	said := map[string]entry{}
	for _, e := range remarks(file, text) {
		if key, ok := lib.Sheet().Key(e.path); ok {
			said[key.Name] = e
		}
	}
	entries, written, err := s.emitted(lib, said)
	if err != nil {
		return nil, err
	}
	found, err := s.assigned(lib, m, written.lines)
	if err != nil {
		return nil, err
	}
	passed, err := s.passed(lib, written.lines)
	if err != nil {
		return nil, err
	}
	own, err := s.own(lib, written.lines)
	if err != nil {
		return nil, err
	}
	called := again(append(passed, own...), entries)
	entries = s.place(slices.Concat(entries, s.unpassed(found, called), called))
	var left []entry
	for _, e := range remarks(file, text) {
		key, ok := lib.Sheet().Key(e.path)
		switch {
		case !ok || slices.ContainsFunc(entries, func(c entry) bool { return c.path == key.Name }):
		case written.keys[key.Name]:
			return nil, fault.Usagef("%s%s: the comment says %s, and the code does not say it in a way that can be read", place(e.Value), key.Name, e.Text).
				Hintf("a constant, as lockplan emit --format %s writes it", s.language)
		default:
			left = append(left, e)
		}
	}
	entries, shared, err := takeShared(lib, entries)
	if err != nil {
		return nil, err
	}
	out, err := configs(lib, m, entries, left)
	if err != nil {
		return nil, err
	}
	out = share(out, shared)
	for i := range out {
		for key, v := range out[i].Values {
			if e, ok := said[key]; ok && e.Text != v.Text && e.Line != v.Line {
				out[i].Notes = append(out[i].Notes, fmt.Sprintf("%s: lockplan's comment says %s, %ssays %s, which counts", key, e.Text, place(v), v.Text))
			}
		}
		slices.Sort(out[i].Notes)
		if l, ok := lib.(interface {
			lacks(source, Values) map[string]string
		}); ok {
			out[i].Lacks = l.lacks(s, out[i].Values)
		}
	}
	return out, nil
}

func newSource(file, language, text string) source {
	s := source{file: file, language: language, starts: []int{0}, given: map[*regexp.Regexp]map[string]bool{}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	s.code, s.names = blank(text, language)
	s.brackets = bracketsOf(s.names)
	s.several = s.assignments()
	s.defined = s.definitions()
	return s
}

// blank writes spaces over the comments of a text, and in names over the
// contents of its texts too.
func blank(text, language string) (code, names string) {
	c, n := []byte(text), []byte(text)
	over := func(b []byte, from, to int) {
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	until := func(from int, end string) int {
		if i := strings.Index(text[from:], end); i >= 0 {
			return from + i + len(end)
		}
		return len(text)
	}
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case language == "py" && rest[0] == '#', language != "py" && strings.HasPrefix(rest, "//"):
			end := max(until(i, "\n")-1, i+1)
			over(c, i, end)
			over(n, i, end)
			i = end - 1
		case language != "py" && strings.HasPrefix(rest, "/*"):
			end := until(i+2, "*/")
			over(c, i, end)
			over(n, i, end)
			i = end - 1
		case strings.HasPrefix(rest, `"""`), language == "py" && strings.HasPrefix(rest, "'''"):
			end := until(i+3, rest[:3])
			over(c, i, end)
			over(n, i, end)
			i = end - 1
		case rest[0] == '`' && language != "py":
			end := until(i+1, "`")
			over(n, i+1, end-1)
			i = end - 1
		case rest[0] == '"' || rest[0] == '\'':
			end := i + 1
			for end < len(text) && text[end] != rest[0] && text[end] != '\n' {
				if text[end] == '\\' && end+1 < len(text) && text[end+1] != '\n' {
					end++
				}
				end++
			}
			over(n, i+1, min(end, len(text)))
			i = end
		}
	}
	return string(c), string(n)
}

// line is the number of the line that an offset stands in.
func (s source) line(offset int) int {
	i, found := slices.BinarySearch(s.starts, offset)
	if found {
		return i + 1
	}
	return i
}

// constant is an entry in the unit of its key, at an offset.
func (s source) constant(key Key, text string, offset int) entry {
	return entry{path: key.Name, offset: offset, Value: Value{Text: text, File: s.file, Line: s.line(offset)}}
}

// unread says what is no constant.
func (s source) unread(key Key, offset int, text string) error {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return fault.Usagef("%s:%d: %s is set to %q, which is no constant of this file", s.file, s.line(offset), key.Name, text).
		Hintf("check the file that the value comes from, or leave this one out and give the keys as --set")
}

var setting = regexp.MustCompile(`(["']?)\b([A-Za-z_]\w*)(["']?)\s*(:=|=|:|\()`)

// typeNames are what stands behind a name in a declaration.
var typeNames = regexp.MustCompile(`^(\*?(time\.)?Duration|u?int(32|64)?|float(32|64)?|number|string|boolean|bool|long|Long|Integer|Optional|str)\b[^(.]*$`)

// assigned are the constants that stand behind a key's name: NAME = x, NAME: x,
// "NAME": x, setNAME(x), WithNAME(x), NAME(x). Lines of done are left out.
func (s source) assigned(lib Library, m matcher, done map[int]bool) ([]entry, error) {
	var out []constantOf
	take := func(t target, sign string) error {
		e, ok, err := s.assign(lib, m, t, sign)
		if ok {
			open := s.opening(t.at)
			argument := open >= 0 && s.names[open] == '(' && s.language != "go" // Go's is a block of declarations
			field := t.at > 0 && s.names[t.at-1] == '.'
			out = append(out, constantOf{e, t, strings.Contains(sign, "=") && !argument && !field})
		}
		return err
	}
	for _, at := range setting.FindAllStringSubmatchIndex(s.code, -1) {
		name, op := s.code[at[4]:at[5]], s.code[at[8]:at[9]]
		quoted := at[3] > at[2]
		_, several := s.several[at[8]]
		if several || done[s.line(at[4])] || quoted != (at[7] > at[6]) || !quoted && s.names[at[4]] == ' ' || !s.sets(at[4], at[8], op, quoted) {
			continue
		}
		if err := take(target{name, at[4], s.expression(at[9]), true}, op); err != nil {
			return nil, err
		}
	}
	for _, sign := range slices.Sorted(maps.Keys(s.several)) {
		for _, t := range s.several[sign].targets {
			if done[s.line(t.at)] {
				continue
			}
			if err := take(t, s.several[sign].sign); err != nil {
				return nil, err
			}
		}
	}
	return notHandedOn(out), nil
}

// constantOf is a constant and what it was read from.
type constantOf struct {
	entry
	target
	variable bool // rather than a field or an argument
}

// notHandedOn leaves out the variables by whose names another setting of the
// same key is given: that one is the lock's.
func notHandedOn(all []constantOf) (out []entry) {
	type use struct{ key, text, name string }
	used := map[use]bool{}
	for _, c := range all {
		for _, name := range aWord.FindAllString(c.value, -1) {
			if !c.variable || name != c.name {
				used[use{c.path, c.Text, name}] = true
			}
		}
	}
	for _, c := range all {
		if !c.variable || !used[use{c.path, c.Text, c.name}] {
			out = append(out, c.entry)
		}
	}
	return out
}

// assign is the constant that a name gets, where it is a key's.
func (s source) assign(lib Library, m matcher, t target, op string) (entry, bool, error) {
	name, at, value := t.name, t.at, t.value
	if told, err := s.strategy(lib, name, at, value); told || err != nil {
		return entry{}, false, err
	}
	name, spot := s.nested(lib, name, at)
	h, ok, err := m.whole(name, Value{File: s.file, Line: s.line(at)})
	if prefix := callPrefix.FindString(name); !ok && op == "(" && prefix != "" {
		h, ok, err = m.whole(name[len(prefix):], Value{File: s.file, Line: s.line(at)})
	}
	if err != nil {
		return entry{}, false, err
	}
	if own, is := lib.(coder); is && ok && own.coded(h.key) {
		return entry{}, false, nil
	}
	if !ok || h.key.App && !slices.Contains(h.key.Other, name) && h.key.Name != name || s.anothers(lib, h.key, at) ||
		op == "(" && s.language == "go" && goReading.MatchString("x."+name+op) {
		return entry{}, false, nil
	}
	if !t.known {
		return entry{}, false, s.unread(h.key, at, value)
	}
	if value == "" || op != "(" && typeNames.MatchString(value) {
		return entry{}, false, nil
	}
	c, ok := s.evaluate(value, 0)
	if c.nothing && s.language != "py" {
		return entry{}, false, nil
	}
	text, spelled := c.spell(h.key, s.language, h.unit)
	if object, made := s.object(h.key, value); made {
		text, ok, spelled = object, true, true
	} else if !ok && switchedOn(lib, h.key) {
		text, ok, spelled = "true", true, true
	} else if word, is := enumerated(h.key, value); !ok && is {
		text, ok, spelled = word, true, true
	}
	if !ok || !spelled {
		return entry{}, false, s.unread(h.key, at, value)
	}
	e := s.constant(h.key, text, spot)
	e.Line = s.line(at)
	if h.fallback { // the name says so
		e.path = name
	}
	return e, true, nil
}

var (
	aWord      = regexp.MustCompile(`[A-Za-z_]\w*`)
	callPrefix = regexp.MustCompile(`^(set|with|With)(?:[A-Z])??`)
	defines    = regexp.MustCompile(`\b(func|def|function|fun|void|interface|class)(\s+\([^)]*\))?\s+$`)
)

// sets reports whether what stands behind a name gives it a value.
func (s source) sets(name, op int, sign string, quoted bool) bool {
	switch sign {
	case "=":
		return !quoted && op+1 < len(s.code) && s.code[op+1] != '=' && s.code[op+1] != '>'
	case ":=":
		return !quoted
	case ":":
		if s.language == "java" || s.language == "py" && !quoted || s.language == "go" && quoted {
			return false
		}
		return op+1 >= len(s.code) || s.code[op+1] != ':'
	}
	head := s.code[s.starts[s.line(name)-1]:name]
	return !quoted && s.language != "py" && s.language != "js" && !defines.MatchString(head)
}

// expression is the text of a value from an offset on: up to a comma, a
// semicolon, a closing bracket, or the end of its line outside of brackets.
func (s source) expression(from int) string {
	return strings.TrimSpace(s.until(from, func(i int) bool {
		switch s.names[i] {
		case ',', ';':
			return true
		case '\n':
			before := strings.TrimSpace(s.code[from:i])
			return before != "" && !strings.HasSuffix(before, "*") && !strings.HasSuffix(before, "+") && (s.language != "java" || extension(s.file) == ".kt")
		}
		return false
	}))
}

// until is the text from an offset to where it ends outside of brackets, or to
// the bracket that closes around it.
func (s source) until(from int, ends func(int) bool) string {
	depth := 0
	for i := from; i < len(s.names); i++ {
		switch c := s.names[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				return s.code[from:i]
			}
		case depth == 0 && ends(i):
			return s.code[from:i]
		}
	}
	return s.code[from:]
}

// place puts each constant into the brackets around it.
func (s source) place(entries []entry) []entry {
	slices.SortStableFunc(entries, func(a, b entry) int { return a.offset - b.offset })
	var open []step
	var out []entry
	next, line, seen := 0, 1, map[int]int{}
	for i := 0; i <= len(s.names); i++ {
		for ; next < len(entries) && entries[next].offset <= i; next++ {
			e := entries[next]
			e.at = dotted(open, e.path)
			if !slices.ContainsFunc(out, func(o entry) bool { return o.path == e.path && o.Text == e.Text && slices.Equal(o.at, e.at) }) {
				out = append(out, e)
			}
		}
		if i == len(s.names) {
			break
		}
		switch s.names[i] {
		case '\n':
			line++
		case '(', '[', '{':
			seen[line]++
			open = append(open, step{kind: inBlock, name: fmt.Sprintf("line %d", line), number: seen[line], line: line})
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		}
	}
	return out
}
