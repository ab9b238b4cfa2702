package library

import (
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// setArgument sets one flag among the items of a list, whose texts are then
// want.
func (t *yamlText) setArgument(list *yaml.Node, want []string, flag, value, comment string) ([]string, error) {
	is := regexp.MustCompile(`^--?` + regexp.QuoteMeta(flag) + `(=|$)`)
	inside := regexp.MustCompile(`(^|\s)--?` + regexp.QuoteMeta(flag) + `(=|\s|$)`)
	at := -1
	for i, item := range list.Content {
		switch {
		case item.Kind != yaml.ScalarNode:
		case inside.MatchString(item.Value) && (!is.MatchString(item.Value) || strings.ContainsAny(item.Value, " \t\n")):
			return nil, fault.Usagef("line %d: the item holds more than --%s", item.Line, flag).Hintf("an item an argument")
		case is.MatchString(item.Value):
			at = i
		}
	}
	if at < 0 {
		text := "--" + flag + "=" + value
		return append(want, text), t.addItem(list, text, comment)
	}
	head, old, joined := strings.Cut(want[at], "=")
	if separate := !joined && at+1 < len(want) && !strings.HasPrefix(want[at+1], "-"); separate {
		at, head, old = at+1, "", want[at+1]
	} else {
		head += "="
	}
	if filled, ok := refill(old, value); ok {
		value = filled
	}
	want[at] = head + value
	return want, t.setItem(list, list.Content[at], want[at], comment)
}

// setItem gives an item of a list another text.
func (t *yamlText) setItem(list, item *yaml.Node, text, comment string) error {
	if err := unshared(t.root, item, text); err != nil {
		return err
	}
	if item.Kind != yaml.ScalarNode || item.Anchor != "" || item.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0 {
		return cannotItem(item)
	}
	line, at := t.place(item)
	endLine, end := t.endScalar(line, at, item)
	if quote := t.lines[line][at:]; quote != "" && strings.ContainsAny(quote[:1], `"'`) {
		text = quote[:1] + text + quote[:1]
	}
	t.splice(line, at, endLine, end, text)
	return t.aboveItem(list, line, comment)
}

// addItem adds an item behind a list's last.
func (t *yamlText) addItem(list *yaml.Node, text, comment string) error {
	if len(list.Content) == 0 {
		line, at := t.place(list)
		if !strings.HasPrefix(t.lines[line][at:], "[") {
			return cannotItem(list)
		}
		t.splice(line, at+1, line, at+1, text)
		return t.again()
	}
	last := list.Content[len(list.Content)-1]
	if last.Kind != yaml.ScalarNode || last.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0 {
		return cannotItem(last)
	}
	line, at := t.place(last)
	first := t.lines[line]
	line, at = t.endScalar(line, at, last)
	if list.Style&yaml.FlowStyle != 0 {
		t.splice(line, at, line, at, ", "+text)
		return t.again()
	}
	pad := first[:len(first)-len(strings.TrimLeft(first, " "))]
	if !strings.HasPrefix(first[len(pad):], "- ") {
		return cannotItem(last)
	}
	t.lines = slices.Insert(t.lines, line+1, pad+"- "+text)
	return t.aboveItem(list, line+1, comment)
}

func cannotItem(n *yaml.Node) error {
	return fault.Usagef("line %d: the argument is written in a way that cannot be changed in place", n.Line).Hintf("on a line of its own: - --flag=value")
}

// aboveItem says above an item of a block list where its number comes from.
func (t *yamlText) aboveItem(list *yaml.Node, line int, comment string) error {
	if list.Style&yaml.FlowStyle == 0 && strings.HasPrefix(strings.TrimLeft(t.lines[line], " "), "- ") {
		t.commentAt(line, "# "+comment)
	}
	return t.again()
}

func itemsOf(list *yaml.Node) []string {
	var out []string
	for _, n := range list.Content {
		out = append(out, n.Value)
	}
	return out
}
