package library

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// yamlText is one YAML document that is changed where its nodes stand, so that
// everything else stays byte by byte: comments, quotes, order, indentation,
// anchors and merge keys.
type yamlText struct {
	lines []string
	root  *yaml.Node // nil for a document that holds nothing
}

func parseText(text string) (*yamlText, error) {
	// YAML ends lines at these too, and nodes would be looked for in others.
	if at := strings.IndexAny(strings.ReplaceAll(text, "\r\n", "\n\n"), "\r\u0085\u2028\u2029"); at >= 0 {
		return nil, fault.Usagef("line %d: a line break that is none outside YAML, such as a lone carriage return", 1+strings.Count(text[:at], "\n")).
			Hintf("line ends as \\n or \\r\\n")
	}
	t := &yamlText{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	if text == "" {
		t.lines = nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fault.Usagef("the file is not YAML: %q", err.Error())
	}
	if len(doc.Content) == 1 && !null(doc.Content[0]) {
		t.root = doc.Content[0]
		return t, t.inside(t.root)
	}
	return t, nil
}

// inside refuses nodes that the parser places beyond the text, as it does with
// what is empty at its end.
func (t *yamlText) inside(n *yaml.Node) error {
	if n.Line > len(t.lines) || n.Line > 0 && n.Column-1 > len(t.lines[n.Line-1]) {
		return cannot(n)
	}
	for _, c := range n.Content {
		if err := t.inside(c); err != nil {
			return err
		}
	}
	return nil
}

func (t *yamlText) String() string {
	if len(t.lines) == 0 {
		return ""
	}
	return strings.Join(t.lines, "\n") + "\n"
}

// again reads the text anew, after a change.
func (t *yamlText) again() error {
	now, err := parseText(t.String())
	if err == nil {
		*t = *now
	}
	return err
}

// null reports a value that is left out.
func null(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" && n.Anchor == ""
}

// pair is a key with its value, and the mapping that they stand in.
type pair struct{ in, key, value *yaml.Node }

// find is the pair at a path, and how many steps of it exist.
func (t *yamlText) find(path []string) (found pair, steps int, err error) {
	n := t.root
	for n != nil && steps < len(path) {
		if err := editable(t.root, n, path); err != nil {
			return pair{}, steps, err
		}
		i := slices.IndexFunc(keysOf(n), func(k *yaml.Node) bool { return k.Value == path[steps] })
		if i < 0 {
			return found, steps, nil
		}
		if twice(n, path[steps]) {
			return pair{}, steps, fault.Usagef("line %d: %s stands there twice", n.Line, path[steps])
		}
		found = pair{n, n.Content[2*i], n.Content[2*i+1]}
		steps++
		if n = found.value; null(n) {
			n = nil
		}
	}
	return found, steps, nil
}

func keysOf(n *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, n.Content[i])
	}
	return out
}

// editable refuses what a change would alter elsewhere too.
func editable(root, n *yaml.Node, path []string) error {
	key := path[len(path)-1]
	switch {
	case n.Kind == yaml.AliasNode:
		return fault.Usagef("line %d: %s stands behind an anchor that other keys share", n.Line, key).Hintf("write the mapping out")
	case n.Kind != yaml.MappingNode:
		return fault.Usagef("line %d: %s cannot be set in what is no mapping", n.Line, key)
	}
	return unshared(root, n, key)
}

// unshared refuses a node whose anchor is used elsewhere.
func unshared(root, n *yaml.Node, key string) error {
	if line := aliasOf(root, n); n.Anchor != "" && line > 0 {
		return fault.Usagef("line %d: %s stands behind the anchor %s, which line %d uses", n.Line, key, n.Anchor, line).
			Hintf("write the value out in line %d", line)
	}
	return nil
}

// aliasOf is the line of an alias of n, 0 when nothing refers to it.
func aliasOf(in, n *yaml.Node) int {
	if in.Kind == yaml.AliasNode && in.Alias == n {
		return in.Line
	}
	for _, c := range in.Content {
		if line := aliasOf(c, n); line > 0 {
			return line
		}
	}
	return 0
}

// twice reports whether a mapping has a key more than once.
func twice(n *yaml.Node, key string) bool {
	count := 0
	for _, k := range keysOf(n) {
		if k.Value == key {
			count++
		}
	}
	return count > 1
}

// set writes a value at a path, with a comment above it.
func (t *yamlText) set(path []string, comment, value string) error {
	found, steps, err := t.find(path)
	if err != nil {
		return err
	}
	if steps == len(path) {
		if err := unshared(t.root, found.value, path[steps-1]); err != nil {
			return err
		}
		if err := t.replace(found, value); err != nil {
			return err
		}
		t.comment(found, comment)
		return t.again()
	}
	return errors.Join(t.insert(found, steps, path[steps:], comment, value), t.again())
}

// replace puts a value in the place of another.
func (t *yamlText) replace(p pair, value string) error {
	if null(p.value) {
		line, at := t.after(p.key)
		colon := strings.IndexByte(t.lines[line][at:], ':')
		if colon < 0 {
			return cannot(p.key)
		}
		t.splice(line, at+colon+1, line, at+colon+1, " "+value)
		return nil
	}
	line, at := t.place(p.value)
	endLine, end, err := t.end(p)
	if err != nil {
		return err
	}
	t.splice(line, at, endLine, end, value)
	return nil
}

func cannot(n *yaml.Node) error {
	return fault.Usagef("line %d: %s is written in a way that cannot be changed in place", n.Line, n.Value).Hintf("write it as %s: VALUE on a line of its own", n.Value)
}

// splice replaces the text between two places.
func (t *yamlText) splice(fromLine, from, toLine, to int, text string) {
	whole := t.lines[fromLine][:from] + text + t.lines[toLine][to:]
	t.lines = slices.Replace(t.lines, fromLine, toLine+1, whole)
}

// place is where a node begins: its line and the byte in it.
func (t *yamlText) place(n *yaml.Node) (line, at int) {
	line = n.Line - 1
	for i := range t.lines[line] {
		if at++; at == n.Column {
			return line, i
		}
	}
	return line, len(t.lines[line])
}

// after is the place behind a key.
func (t *yamlText) after(key *yaml.Node) (line, at int) {
	line, at = t.place(key)
	return t.endScalar(line, at, key)
}

// end is the place behind a value with its tag.
func (t *yamlText) end(p pair) (line, at int, err error) {
	n := p.value
	line, at = t.place(n)
	for n.Kind != yaml.AliasNode { // tag and anchor stand in front
		rest := t.lines[line][at:]
		if rest == "" || !strings.ContainsRune("!&", rune(rest[0])) {
			break
		}
		word := len(rest)
		if strings.HasPrefix(rest, "!<") {
			word = strings.IndexByte(rest, '>') + 1
		} else if i := strings.IndexAny(rest, " \t"); i >= 0 {
			word = i
		}
		at += word + len(rest[word:]) - len(strings.TrimLeft(rest[word:], " \t"))
		if strings.TrimSpace(t.lines[line][at:]) == "" && len(n.Content) > 0 { // a block below
			break
		}
	}
	block := n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
	switch {
	case block && n.Style&yaml.FlowStyle != 0:
		return t.endFlow(line, at, n)
	case block || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		if p.in.Style&yaml.FlowStyle != 0 {
			return 0, 0, cannot(p.key)
		}
		line = t.endLine(p)
		return line, len(t.lines[line]), nil
	}
	line, at = t.endScalar(line, at, n)
	return line, at, nil
}

// endScalar is the place behind a scalar that begins at a place.
func (t *yamlText) endScalar(line, at int, n *yaml.Node) (int, int) {
	rest := t.lines[line][at:]
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && rest != "":
		return t.endQuoted(line, at)
	case strings.HasPrefix(rest, n.Value):
		return line, at + len(n.Value)
	}
	end := len(rest)
	if i := strings.Index(rest, " #"); i >= 0 {
		end = i
	}
	if n.Kind == yaml.AliasNode {
		if i := strings.IndexAny(rest, " \t,]}"); i >= 0 {
			end = i
		}
	}
	return line, at + len(strings.TrimRight(rest[:end], " \t\r"))
}

// endQuoted is the place behind a quoted text, which may go over lines.
func (t *yamlText) endQuoted(line, at int) (int, int) {
	quote := t.lines[line][at]
	for i := at + 1; line < len(t.lines); line, i = line+1, 0 {
		for text := t.lines[line]; i < len(text); i++ {
			switch {
			case quote == '"' && text[i] == '\\', quote == '\'' && text[i] == quote && i+1 < len(text) && text[i+1] == quote:
				i++
			case text[i] == quote:
				return line, i + 1
			}
		}
	}
	return len(t.lines) - 1, len(t.lines[len(t.lines)-1])
}

// endFlow is the place behind the bracket that closes a flow collection.
func (t *yamlText) endFlow(line, at int, n *yaml.Node) (int, int, error) {
	depth := 0
	for i := at; line < len(t.lines); line, i = line+1, 0 {
		for ; i < len(t.lines[line]); i++ {
			switch c := t.lines[line][i]; {
			case c == '"' || c == '\'' && i > 0 && strings.ContainsRune(" \t,:[{", rune(t.lines[line][i-1])):
				from := line
				line, i = t.endQuoted(line, i)
				if i--; line != from {
					continue
				}
			case c == '#' && (i == 0 || t.lines[line][i-1] == ' '):
				i = len(t.lines[line])
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					return line, i + 1, nil
				}
			}
		}
	}
	return 0, 0, cannot(n)
}

// endLine is the last line of a block entry: what is indented deeper than its
// key belongs to it.
func (t *yamlText) endLine(p pair) int {
	indent, last := p.key.Column-1, max(p.key.Line-1, t.lastLine(p.key, p.value))
	for i := last + 1; i < len(t.lines); i++ {
		text := strings.TrimLeft(t.lines[i], " ")
		switch {
		case strings.TrimSpace(text) == "":
			continue
		case len(t.lines[i])-len(text) <= indent:
			return last
		}
		last = i
	}
	return last
}

// lastLine is the last line on which a part of n begins, or where a part with
// an end of its own ends.
func (t *yamlText) lastLine(key, n *yaml.Node) int {
	line := n.Line - 1
	switch {
	case n.Kind == yaml.AliasNode:
	case n.Style&yaml.FlowStyle != 0 || n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if end, _, err := t.end(pair{in: &yaml.Node{}, key: key, value: n}); err == nil {
			line = end
		}
	default:
		for _, c := range n.Content {
			line = max(line, t.lastLine(key, c))
		}
	}
	return line
}

// insert adds what is missing of a path below the pair that exists; steps is
// how deep that is, 0 the root.
func (t *yamlText) insert(below pair, steps int, missing []string, comment, value string) error {
	in := t.root
	if steps > 0 {
		in = below.value
	}
	switch {
	case steps == 0 && in == nil:
		t.lines = append(t.lines, entryLines(0, missing, comment, value)...)
		return nil
	case null(in):
		if below.in.Style&yaml.FlowStyle != 0 {
			return cannot(below.key)
		}
		return t.put(below.key.Line, below.key, entryLines(below.key.Column+1, missing, comment, value))
	case in.Kind != yaml.MappingNode:
		return editable(t.root, in, missing)
	case in.Style&yaml.FlowStyle != 0:
		return t.insertFlow(in, missing, comment, value)
	}
	last := len(in.Content) - 2
	end := t.endLine(pair{in, in.Content[last], in.Content[last+1]})
	return t.put(end+1, in.Content[last], entryLines(in.Content[0].Column-1, missing, comment, value))
}

// put adds lines behind a node. An explicit key ("? a") without its value ends
// beyond the text, and is not edited.
func (t *yamlText) put(at int, behind *yaml.Node, lines []string) error {
	if at > len(t.lines) {
		return cannot(behind)
	}
	t.lines = slices.Insert(t.lines, at, lines...)
	return nil
}

// insertFlow adds a key in front of the closing bracket.
func (t *yamlText) insertFlow(in *yaml.Node, missing []string, comment, value string) error {
	first, _ := t.place(in)
	line, at, err := t.end(pair{in: &yaml.Node{}, key: in, value: in})
	if err != nil {
		return err
	}
	at-- // the bracket
	before := strings.TrimRight(t.lines[line][:at], " \t")
	text := strings.Join(missing, ": {") + ": " + value + strings.Repeat("}", len(missing)-1)
	if len(in.Content) > 0 && !strings.HasSuffix(before, ",") && !strings.HasSuffix(before, "{") {
		text = ", " + text
	} else if strings.HasSuffix(before, ",") {
		text = " " + text
	}
	if before == "" { // the bracket stands alone on its line
		if len(in.Content) == 0 || first == line {
			return cannot(in)
		}
		lastLine, lastAt, err := t.end(pair{in, in.Content[len(in.Content)-2], in.Content[len(in.Content)-1]})
		if err != nil {
			return err
		}
		if !strings.HasPrefix(strings.TrimSpace(t.lines[lastLine][lastAt:]), ",") {
			text = ", " + strings.TrimPrefix(text, ", ")
		} else {
			lastAt += strings.IndexByte(t.lines[lastLine][lastAt:], ',') + 1
			text = " " + strings.TrimPrefix(text, ", ")
		}
		t.splice(lastLine, lastAt, lastLine, lastAt, text)
	} else {
		t.splice(line, len(before), line, at, text)
	}
	t.commentAt(first, "# "+missing[len(missing)-1]+": "+comment)
	return nil
}

// entryLines is a new block entry.
func entryLines(indent int, path []string, comment, value string) []string {
	var out []string
	for _, key := range path[:len(path)-1] {
		out = append(out, strings.Repeat(" ", indent)+key+":")
		indent += 2
	}
	pad := strings.Repeat(" ", indent)
	return append(out, pad+"# "+comment, pad+path[len(path)-1]+": "+value)
}

// comment writes a comment above an entry, in the place of lockplan's own.
func (t *yamlText) comment(p pair, comment string) {
	line, at := t.place(p.key)
	if p.in.Style&yaml.FlowStyle != 0 {
		line, _ = t.place(p.in)
		t.commentAt(line, "# "+p.key.Value+": "+comment)
		return
	}
	if strings.TrimSpace(t.lines[line][:at]) == "" {
		t.commentAt(line, "# "+comment)
	}
}

// commentAt writes a comment above a line. One of lockplan's that says the
// unit of the same thing is replaced, everybody else's stays.
func (t *yamlText) commentAt(line int, comment string) {
	pad := t.lines[line][:len(t.lines[line])-len(strings.TrimLeft(t.lines[line], " "))]
	name, _, keyed := strings.Cut(comment, ": ")
	for i := line - 1; i >= 0 && strings.HasPrefix(strings.TrimSpace(t.lines[i]), "#"); i-- {
		old := strings.TrimSpace(t.lines[i])
		rest, mine := strings.CutPrefix(old, name+": ")
		if keyed = keyed && !provenance.MatchString(comment); keyed && mine && provenance.MatchString("# "+rest) || !keyed && i == line-1 && provenance.MatchString(old) {
			t.lines[i] = pad + comment
			return
		}
	}
	t.lines = slices.Insert(t.lines, line, pad+comment)
}

// remove takes away a block entry and lockplan's comment above it.
func (t *yamlText) remove(p pair) error {
	from, to := p.key.Line-1, t.endLine(p)
	if from > 0 && provenance.MatchString(strings.TrimSpace(t.lines[from-1])) {
		from--
	}
	t.lines = slices.Delete(t.lines, from, to+1)
	return t.again()
}

// written reports whether lockplan's comment stands above a key.
func (t *yamlText) written(p pair) bool {
	line := p.key.Line - 1
	return line > 0 && p.in.Style&yaml.FlowStyle == 0 && provenance.MatchString(strings.TrimSpace(t.lines[line-1]))
}

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
