package library

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// placer is a library whose own file nests its keys.
type placer interface {
	place(key string, run *Running) []string
}

// conflicter is a library whose file may already be one that cannot hold the
// plan's keys.
type conflicter interface {
	conflicts(root *yaml.Node, run *Running) error
}

// whereIn is the path of a key in a YAML document.
func whereIn(fit Fitted, key string) []string {
	if p, ok := fit.Library.(placer); ok {
		return p.place(key, fit.Verdict.Run)
	}
	return strings.Split(key, ".")
}

// renderYAML sets the library's keys in a document and keeps everything else,
// comments and anchors included.
func renderYAML(fit Fitted, head, existing string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(stripHead(existing, "#")), &doc); err != nil {
		return "", fault.Usagef("the file is not YAML: %q", err.Error())
	}
	if doc.Kind == 0 {
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	if c, ok := fit.Library.(conflicter); ok {
		if err := c.conflicts(doc.Content[0], fit.Verdict.Run); err != nil {
			return "", err
		}
	}
	for _, s := range fit.Settings {
		if !owned(fit, s, "yaml") {
			continue
		}
		if err := setYAML(doc.Content[0], whereIn(fit, s.Key), fit.Library, s); err != nil {
			return "", err
		}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&doc); err != nil {
		return "", fault.Usagef("the file cannot be written back: %q", err.Error())
	}
	top := append([]string{"# " + head}, remarksOf(fit, "yaml", "#")...)
	return strings.Join(top, "\n") + "\n" + out.String(), nil
}

func setYAML(n *yaml.Node, at []string, lib Library, s Setting) error {
	if n.Kind == yaml.AliasNode {
		return fault.Usagef("line %d: %s stands behind an anchor that other keys share", n.Line, s.Key).Hintf("write the mapping out")
	}
	if n.Kind != yaml.MappingNode {
		return fault.Usagef("line %d: %s cannot be set in what is no mapping", n.Line, s.Key)
	}
	if twice(n, at[0]) {
		return fault.Usagef("line %d: %s stands there twice", n.Line, at[0])
	}
	var value *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == at[0] {
			value = n.Content[i+1]
			if len(at) == 1 {
				node, err := scalarNode(lib, s)
				if err != nil {
					return err
				}
				n.Content[i].HeadComment = "# " + s.Provenance(lib)
				n.Content[i+1] = node
				return nil
			}
		}
	}
	if value == nil {
		key := &yaml.Node{Kind: yaml.ScalarNode, Value: at[0]}
		if len(at) == 1 {
			key.HeadComment = "# " + s.Provenance(lib)
			node, err := scalarNode(lib, s)
			if err != nil {
				return err
			}
			n.Content = append(n.Content, key, node)
			return nil
		}
		value = &yaml.Node{Kind: yaml.MappingNode}
		n.Content = append(n.Content, key, value)
	}
	return setYAML(value, at[1:], lib, s)
}

// twice reports whether a mapping has a key more than once.
func twice(n *yaml.Node, key string) bool {
	count := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			count++
		}
	}
	return count > 1
}

// scalarNode is a setting's value: a number, a text, or a tagged mapping.
func scalarNode(lib Library, s Setting) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(s.Text), &doc); err != nil || len(doc.Content) != 1 {
		return nil, fault.Usagef("%s: %q is not a YAML value", s.Key, s.Text)
	}
	return doc.Content[0], nil
}

// renderJSON has no comments: the unit stands in the key and the provenance
// in an object beside.
func renderJSON(fit Fitted, existing string) (string, error) {
	doc := map[string]any{}
	if strings.TrimSpace(existing) != "" {
		decoder := json.NewDecoder(strings.NewReader(existing))
		decoder.UseNumber()
		if err := decoder.Decode(&doc); err != nil {
			return "", fault.Usagef("the file is not a JSON object: %q", err.Error())
		}
	}
	why := map[string]string{}
	for _, s := range fit.Settings {
		key, _ := fit.Library.Sheet().Key(s.Key)
		name := s.Key
		switch key.Unit {
		case Millis:
			name += "_ms"
		case Seconds, Decimal:
			name += "_s"
		}
		doc[name] = jsonValue(key.Unit, s.Text)
		why[name] = s.Why
	}
	doc["lockplan_why"] = why
	text, err := json.MarshalIndent(doc, "", "  ")
	return string(text) + "\n", err
}

func jsonValue(unit Unit, text string) any {
	switch unit {
	case Millis, Seconds, Decimal, Factor, Count:
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return json.Number(text)
		}
	case Switch:
		return text == "true"
	}
	return text
}
