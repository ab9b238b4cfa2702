package library

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

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

// marked reports whether lockplan's comment above a key says whose the key is.
func (t *yamlText) marked(p pair) bool {
	return strings.HasSuffix(strings.TrimRight(t.lines[max(0, p.key.Line-2)], " \t"), yours)
}
