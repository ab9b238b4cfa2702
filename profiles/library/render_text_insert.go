package library

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// insert adds what is missing of a path below a pair; one without a key is the
// root.
func (t *yamlText) insert(below pair, missing []string, comment, value string) error {
	in := below.value
	switch {
	case below.key == nil && in == nil:
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
