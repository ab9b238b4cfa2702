package library

import (
	"slices"
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

// renderYAML sets the library's keys in the document that is the library's and
// keeps everything else as it stands, byte by byte.
func renderYAML(fit Fitted, head, existing string) (string, error) {
	docs := documents(stripHead(existing, "#"))
	at, err := ours(fit, docs)
	if err != nil {
		return "", err
	}
	if docs[at].text, err = setAll(fit, docs[at].text); err != nil {
		return "", atLine(err, docs[at].start)
	}
	var out strings.Builder
	for _, line := range append([]string{"# " + head}, remarksOf(fit, "yaml", "#")...) {
		out.WriteString(line + "\n")
	}
	for _, d := range docs {
		out.WriteString(d.marker + d.text)
	}
	return out.String(), nil
}

// document is one of a text, below its marker line.
type document struct {
	marker, text string
	start        int // line of the marker, 0 for what has none
}

// documents cuts a text at its document markers.
func documents(text string) []document {
	docs, number := []document{{}}, 0
	for line := range strings.Lines(text) {
		number++
		if marker := strings.TrimRight(line, " \t\r\n"); marker == "---" || marker == "..." || strings.HasPrefix(line, "--- #") {
			docs = append(docs, document{marker: line, start: number})
			continue
		}
		docs[len(docs)-1].text += line
	}
	return docs
}

// ours is the document that has keys of the library, else the first that has
// any content.
func ours(fit Fitted, docs []document) (int, error) {
	found, first := -1, -1
	for i, d := range docs {
		if strings.HasPrefix(d.text, "%") { // directives of the next document
			continue
		}
		doc, err := parseText(d.text)
		if err != nil {
			return 0, atLine(err, d.start)
		}
		if doc.root == nil {
			continue
		}
		if first < 0 {
			first = i
		}
		if !holds(fit, doc) {
			continue
		}
		if found >= 0 {
			return 0, fault.Usagef("lines %d and %d begin documents that both configure %s", docs[found].start+1, d.start+1, fit.Library.Name()).
				Hintf("a file for each")
		}
		found = i
	}
	switch {
	case found >= 0:
		return found, nil
	case first >= 0:
		return first, nil
	}
	return len(docs) - 1, nil
}

// holds reports whether a document has a key of the library where emit writes
// it, or a text that is a configuration of it.
func holds(fit Fitted, doc *yamlText) bool {
	for _, s := range fit.Settings {
		if _, steps, err := doc.find(whereIn(fit, s.Key)); owned(fit, s, "yaml") && (steps > 0 || err != nil) {
			return true
		}
	}
	texts, _ := nestedTexts(fit, doc.root, "")
	return len(texts) > 0
}

// setAll sets every key in one document, or in the text nested in it.
func setAll(fit Fitted, text string) (string, error) {
	doc, err := parseText(text)
	if err != nil {
		return "", err
	}
	inner, err := nestedIn(fit, doc)
	if err != nil {
		return "", err
	}
	if inner != nil {
		return doc.within(*inner, func(text string) (string, error) { return setKeys(fit, text) })
	}
	return setKeys(fit, text)
}

func setKeys(fit Fitted, text string) (string, error) {
	doc, err := parseText(text)
	if err != nil {
		return "", err
	}
	before := doc.root
	if c, ok := fit.Library.(conflicter); ok && before != nil {
		if err := c.conflicts(before, fit.Verdict.Run); err != nil {
			return "", err
		}
	}
	changed := map[string]bool{}
	var stay [][]string
	for _, s := range fit.Settings { // before a line moves
		if found, steps, err := doc.find(whereIn(fit, s.Key)); err != nil {
			return "", err
		} else if steps > 0 {
			if err := unshared(doc.root, found.value, s.Key); err != nil {
				return "", err
			}
		}
	}
	for _, s := range fit.Settings {
		if !owned(fit, s, "yaml") {
			continue
		}
		path := whereIn(fit, s.Key)
		stay = append(stay, path)
		for i := range path {
			changed[strings.Join(path[:i], ".")+".*"] = true
		}
		changed[strings.Join(path, ".")] = true
		if err := doc.set(path, s.Provenance(fit.Library), s.Text); err != nil {
			return "", err
		}
	}
	for _, key := range fit.Library.Sheet().AllKeys() { // what an earlier plan wrote and this one has not
		path := whereIn(fit, key.Name)
		found, steps, err := doc.find(path)
		if err != nil || steps < len(path) || !doc.written(found) || slices.ContainsFunc(stay, func(p []string) bool { return slices.Equal(p, path) }) {
			continue
		}
		changed[strings.Join(path, ".")] = true
		if err := doc.remove(found); err != nil {
			return "", err
		}
	}
	if before != nil {
		if err := unchanged(before, doc.root, "", changed); err != nil {
			return "", err
		}
	}
	return doc.String(), nil
}

// atLine moves the line that an error names down by where its text begins.
func atLine(err error, start int) error {
	rest, ok := strings.CutPrefix(err.Error(), "line ")
	number, rest, more := strings.Cut(rest, ":")
	n, bad := strconv.Atoi(number)
	if !ok || !more || bad != nil {
		return err
	}
	return fault.Usagef("line %d:%s", n+start, rest).Hintf("%s", fault.HintOf(err))
}
