package library

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

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
