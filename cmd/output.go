package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
)

// writeDocument prints one document as JSON or YAML.
func (a *app) writeDocument(document any) error {
	if a.output == "yaml" {
		return a.writeYAML(document)
	}
	return a.writeJSON(document)
}

// writeJSON prints a document with two spaces of indentation.
func (a *app) writeJSON(document any) error {
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	a.out.Write(append(text, '\n'))
	return nil
}

// writeYAML prints the JSON document as YAML, key by key in the same order,
// so that the two never say different things.
func (a *app) writeYAML(document any) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	node, err := yamlNode(decoder)
	if err != nil {
		return err
	}
	encoder := yaml.NewEncoder(a.out)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return err
	}
	return encoder.Close()
}

// yamlNode reads the next JSON value as a YAML node; yaml.v3 alone would sort
// keys and turn numbers into floats.
func yamlNode(decoder *json.Decoder) (*yaml.Node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		node := &yaml.Node{Kind: yaml.MappingNode}
		if t == '[' {
			node.Kind = yaml.SequenceNode
		}
		for decoder.More() {
			child, err := yamlNode(decoder)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
		}
		_, err := decoder.Token()
		if len(node.Content) == 0 {
			node.Style = yaml.FlowStyle
		}
		return node, err
	case json.Number:
		tag := "!!float"
		if !strings.ContainsAny(t.String(), ".eE") {
			tag = "!!int"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Value: t.String(), Tag: tag}, nil
	}
	node := &yaml.Node{}
	return node, node.Encode(token)
}

// writePlansCSV prints one row a plan, with the keys of the JSON document
// that have a single value.
func (a *app) writePlansCSV(plans []plan.Plan) error {
	w := csv.NewWriter(a.out)
	for i, p := range plans {
		keys, values, err := scalars(p.Document())
		if err != nil {
			return err
		}
		keys, values = append(keys, "findings"), append(values, idsOf(p.Findings))
		if i == 0 {
			w.Write(keys)
		}
		w.Write(values)
	}
	w.Flush()
	return w.Error()
}

// idsOf lists findings in one cell: "LP103 LP114".
func idsOf(found []finding.Finding) string {
	var ids []string
	for _, f := range found {
		if !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return strings.Join(ids, " ")
}

// writeCSV prints rows, the first being the head.
func (a *app) writeCSV(rows [][]string) error {
	w := csv.NewWriter(a.out)
	w.WriteAll(rows)
	return w.Error()
}

// csvOf has a head and a row for each document of our own types.
func csvOf[D any](documents []D) [][]string {
	var rows [][]string
	for i, d := range documents {
		keys, values, err := scalars(d)
		if err != nil {
			panic(err) // such a document always encodes
		}
		if i == 0 {
			rows = append(rows, keys)
		}
		rows = append(rows, values)
	}
	return rows
}

// scalars are the keys of a document that have a single value, in order; null
// is empty.
func scalars(document any) (keys, values []string, err error) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil, nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	node, err := yamlNode(decoder)
	if err != nil {
		return nil, nil, err
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		value := node.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			continue
		}
		keys = append(keys, node.Content[i].Value)
		if value.Tag == "!!null" {
			values = append(values, "")
		} else {
			values = append(values, value.Value)
		}
	}
	return keys, values, nil
}

// writePlanMarkdown prints a plan as a section for a pull request.
func (a *app) writePlanMarkdown(p plan.Plan) {
	title := "Lock plan"
	if p.In.Service != "" {
		title += ": " + markdownText(p.In.Service)
	}
	fmt.Fprintf(a.out, "## %s\n\n", title)
	a.markdownTable([]string{"term", "value", "source"}, termRows(p))
	if p.Feasible {
		var rows [][]string
		for _, c := range clocks(p) {
			rows = append(rows, []string{c.name, c.value, c.why})
		}
		a.markdownTable([]string{"clock", "value", "why"}, rows)
	} else {
		fmt.Fprint(a.out, "**No plan.**\n\n")
		for _, r := range p.Relaxations {
			fmt.Fprintf(a.out, "- %s\n", markdownText(r.Text))
		}
		fmt.Fprintln(a.out)
	}
	var rows [][]string
	for _, f := range p.Findings {
		rows = append(rows, []string{f.Severity.String(), f.ID, f.Message, f.Fix})
	}
	if len(rows) > 0 {
		a.markdownTable([]string{"severity", "rule", "finding", "fix"}, rows)
	}
}

func termRows(p plan.Plan) [][]string {
	var rows [][]string
	for _, t := range p.Terms {
		rows = append(rows, []string{termName(p, t), termValue(p, t), termSource(t)})
	}
	return rows
}

func (a *app) markdownTable(head []string, rows [][]string) {
	fmt.Fprintf(a.out, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, row := range rows {
		for i := range row {
			row[i] = markdownText(row[i])
		}
		fmt.Fprintf(a.out, "| %s |\n", strings.Join(row, " | "))
	}
	fmt.Fprintln(a.out)
}

// markdownText escapes what a table cell or a page would obey.
func markdownText(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ", "`", "\\`").Replace(shown(text))
}
