package library

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// renderArguments writes the flags of a program into the arguments of its
// container, an item each: a container gets an item as one argument.
func renderArguments(fit Fitted, head, existing string) (string, error) {
	docs := documents(existing)
	at := -1
	var refusal error
	for i, d := range docs {
		text, err := setArguments(fit, d.text, d.start)
		switch {
		case err != nil && refusal == nil && strings.TrimSpace(stripHead(d.text, "#")) != "":
			refusal = atLine(err, d.start)
		case err == nil && at >= 0:
			return "", fault.Usagef("lines %d and %d begin documents that both have arguments for %s", docs[at].start+1, d.start+1, fit.Library.Name()).Hintf("a file for each")
		case err == nil:
			at, docs[i].text = i, text
		}
	}
	if at < 0 {
		return "", refusal
	}
	var body strings.Builder
	for _, d := range docs {
		body.WriteString(d.marker + d.text)
	}
	out := append([]string{"# " + head}, remarksOf(fit, "flags", "#")...)
	return strings.Join(out, "\n") + "\n" + stripHead(body.String(), "#"), nil
}

// setArguments sets the flags in the one list of a document's that are the
// program's arguments.
func setArguments(fit Fitted, text string, below int) (string, error) {
	if !flagged(fit) {
		return "", noFlags(fit)
	}
	doc, err := parseText(text)
	if err != nil {
		return "", err
	}
	hits, err := standing(fit.Library, YAML, text, below)
	if err != nil {
		return "", err
	}
	at, err := argumentsAt(fit, doc, hits)
	if err != nil {
		return "", err
	}
	list, path, err := doc.locate(at, "the arguments")
	if err == nil {
		err = unshared(doc.root, list.value, "the list of arguments")
	}
	if err != nil {
		return "", err
	}
	before, want := doc.root, itemsOf(list.value)
	for _, s := range fit.Settings {
		key, _ := fit.Library.Sheet().Key(s.Key)
		if key.Flag == "" {
			continue
		}
		if want, err = doc.setArgument(list.value, want, key.Flag, s.Text, s.Provenance(fit.Library)); err != nil {
			return "", err
		}
		if list, _, err = doc.locate(at, "the arguments"); err != nil {
			return "", err
		}
	}
	if !slices.Equal(itemsOf(list.value), want) {
		return "", fault.Usagef("line %d: the arguments cannot be changed in place", list.value.Line).Hintf("an item a line")
	}
	return doc.String(), unchanged(before, doc.root, "", map[string]bool{path: true})
}

// argumentsAt is where the arguments stand: the list that has a flag of the
// library, else that of the only container.
func argumentsAt(fit Fitted, doc *yamlText, hits map[string]hit) ([]step, error) {
	var at []step
	var first hit
	for _, s := range fit.Settings {
		key, _ := fit.Library.Sheet().Key(s.Key)
		h, there := hits[s.Key]
		if !there || key.Flag == "" {
			continue
		}
		i := slices.IndexFunc(h.where(), func(s step) bool { return s.name == argumentStep })
		switch {
		case i < 0 && h.argument():
			return nil, fault.Usagef("%s%s stands in a command of one text", place(h.Value), h.path).Hintf("write it as a list, an item an argument")
		case i < 0:
			return nil, fault.Usagef("%s%s is no argument", place(h.Value), h.path).Hintf("--format yaml, or take it out of the file")
		case at != nil && !slices.EqualFunc(h.where()[:i], at, same):
			return nil, fault.Usagef("%s%s stands in another list than %s in line %d", place(h.Value), h.path, first.path, first.Line).Hintf("one list for both")
		}
		at, first = h.where()[:i], h
	}
	if at != nil {
		return at, nil
	}
	var lists [][]step
	lines := []int{}
	containers(doc.root, nil, func(n *yaml.Node, place []step) {
		for _, name := range []string{"args", "command"} {
			if list := child(n, name); list != nil && list.Kind == yaml.SequenceNode {
				lists, lines = append(lists, under(place, step{name: name})), append(lines, n.Line)
				return
			}
		}
	})
	flag := "--" + firstFlag(fit) + "=VALUE"
	switch len(lists) {
	case 1:
		return lists[0], nil
	case 0:
		return nil, fault.Usagef("line 1: no container has args: or command: as a list").Hintf("args: [%s] in the container that it is for", flag)
	}
	return nil, fault.Usagef("line %d: none of %d containers has a flag of %s", lines[0], len(lists), fit.Library.Name()).Hintf("%s in the args: of the right one", flag)
}

// containers calls found with each mapping that is a container's.
func containers(n *yaml.Node, at []step, found func(*yaml.Node, []step)) {
	switch {
	case n == nil || len(at) > maxDepth:
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			containers(item, under(at, step{kind: inItem, number: i}), found)
		}
	case n.Kind == yaml.MappingNode:
		if child(n, "args") != nil || child(n, "command") != nil {
			found(n, at)
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			containers(n.Content[i+1], under(at, step{name: n.Content[i].Value}), found)
		}
	}
}

// flagged reports whether any setting is a flag of the library's programs.
func flagged(fit Fitted) bool { return firstFlag(fit) != "" }

func firstFlag(fit Fitted) string {
	for _, s := range fit.Settings {
		if key, _ := fit.Library.Sheet().Key(s.Key); key.Flag != "" {
			return key.Flag
		}
	}
	return ""
}

func noFlags(fit Fitted) error {
	return fault.Usagef("nothing of this plan is a flag of %s", fit.Library.Name()).Hintf("--format %s", fit.Library.Sheet().Formats[0])
}
