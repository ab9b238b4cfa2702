package library

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// yamlEntries flattens every document of a YAML or JSON text; below is the
// line before the text's first, for a text nested in another file.
func yamlEntries(name, text string, below int) ([]entry, error) {
	w := walker{name: name, below: below}
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return w.out, nil
		}
		if err != nil {
			line, what := below+1, strings.TrimPrefix(err.Error(), "yaml: ")
			if m := yamlLine.FindStringSubmatch(what); m != nil {
				n, _ := strconv.Atoi(m[1])
				line, what = below+n, strings.TrimPrefix(what, m[0])
			}
			return nil, fault.Usagef("%s:%d: not YAML: %q", name, line, what)
		}
		if err := w.walk("", &doc, 0); err != nil {
			return nil, err
		}
	}
}

type walker struct {
	name  string
	below int
	out   []entry
}

func (w *walker) add(path, text string, n *yaml.Node) {
	w.out = append(w.out, entry{path, Value{text, w.name, w.below + n.Line}})
}

func (w *walker) walk(path string, n *yaml.Node, depth int) error {
	if depth > maxDepth || len(w.out) > maxEntries {
		return fault.Usagef("%s:%d: nested or repeated too deeply to be a configuration", w.name, w.below+n.Line)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return w.walk(path, n.Content[0], depth+1)
	case yaml.AliasNode:
		return w.walk(path, n.Alias, depth+1)
	case yaml.MappingNode:
		if tagged := n.Tag != "" && !strings.HasPrefix(n.Tag, "!!"); tagged {
			w.add(path, tagText(n), n)
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			sub := join(path, key.Value)
			if key.Tag == "!!merge" {
				sub = path
			}
			if err := w.walk(sub, n.Content[i+1], depth+1); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		w.flags(n)
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				if err := w.walk(path, item, depth+1); err != nil {
					return err
				}
			}
		}
	case yaml.ScalarNode:
		w.add(path, n.Value, n)
		w.nested(n)
	}
	return nil
}

// flags reads the arguments of a container: --flag=value, or --flag value.
func (w *walker) flags(n *yaml.Node) {
	for i, item := range n.Content {
		flag, ok := strings.CutPrefix(item.Value, "--")
		if item.Kind != yaml.ScalarNode || !ok {
			continue
		}
		if flag, text, ok := strings.Cut(flag, "="); ok {
			w.add(flag, text, item)
		} else if i+1 < len(n.Content) && !strings.HasPrefix(n.Content[i+1].Value, "--") {
			w.add(flag, n.Content[i+1].Value, n.Content[i+1])
		} else {
			w.add(flag, "true", item)
		}
	}
}

// nested reads a YAML mapping written as a string, as Spring Boot's
// spring.redis.redisson.config has it.
func (w *walker) nested(n *yaml.Node) {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 || !strings.Contains(n.Value, ":") {
		return
	}
	if inner, err := yamlEntries(w.name, n.Value, w.below+n.Line); err == nil {
		w.out = append(w.out, inner...)
	}
}

// tagText spells a tagged mapping on one line: "!<class> {delay: PT0.5S}".
func tagText(n *yaml.Node) string {
	var parts []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		parts = append(parts, n.Content[i].Value+": "+n.Content[i+1].Value)
	}
	return fmt.Sprintf("!<%s> {%s}", strings.Trim(n.Tag, "!<>"), strings.Join(parts, ", "))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
