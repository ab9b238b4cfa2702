package library

import (
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/lockplan/lockplan/calc/fault"
)

// toml reads a TOML file by the parser that viper carries along; only the
// nodes of its unstable package have lines.
func (r *reader) toml(text string, o origin, at []step) error {
	p := unstable.Parser{}
	p.Reset([]byte(text))
	t := tomlWalker{reader: r, o: o, parser: &p, offset: 0, lines: 1, items: map[string]int{}}
	table := at
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			table = t.keys(at, e)
		case unstable.ArrayTable:
			table = t.keys(at, e)
			path := pathOf(table)
			table = under(table, step{kind: inItem, number: t.items[path]})
			t.items[path]++
		case unstable.KeyValue:
			t.value(t.keys(table, e), e.Value())
		}
		if len(r.out) > maxEntries {
			return fault.Usagef("%s: more than %d values", r.name, maxEntries)
		}
	}
	if err := p.Error(); err != nil {
		return fault.Usagef("%s:%d: not TOML: %q", r.name, o.line(t.line), err.Error()).Hintf("a text in quotes, a number without")
	}
	return nil
}

type tomlWalker struct {
	*reader
	o             origin
	parser        *unstable.Parser
	offset, lines int // as far as lines are counted
	line          int // of the last key
	items         map[string]int
}

// keys is at with the keys of an expression, and notes its line.
func (t *tomlWalker) keys(at []step, e *unstable.Node) []step {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		for ; t.offset < int(n.Raw.Offset); t.offset++ {
			if t.parser.Data()[t.offset] == '\n' {
				t.lines++
			}
		}
		t.line = t.lines
		at = under(at, step{name: string(n.Data), line: t.o.line(t.line)})
	}
	return at
}

func (t *tomlWalker) value(at []step, n *unstable.Node) {
	switch n.Kind {
	case unstable.InlineTable:
		for it := n.Children(); it.Next(); {
			kv := it.Node()
			t.value(t.keys(at, kv), kv.Value())
		}
	case unstable.Array:
		if len(at) > 0 && at[len(at)-1].kind == inKey {
			items := n.Children()
			t.out = append(t.out, entry{at: at, path: pathOf(at), list: true, none: !items.Next(), Value: Value{File: t.name, Line: t.o.line(t.line)}})
		}
		number := 0
		for it := n.Children(); it.Next(); number++ {
			if kind := it.Node().Kind; kind == unstable.InlineTable || kind == unstable.Array {
				t.value(under(at, step{kind: inItem, number: number}), it.Node())
			}
		}
	default:
		t.out = append(t.out, entry{at: at, path: pathOf(at), Value: Value{Text: string(n.Data), File: t.name, Line: t.o.line(t.line)}})
	}
}
