package library

import (
	"encoding/json"
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
	if strings.HasPrefix(strings.TrimSpace(existing), "{") && json.Valid([]byte(existing)) {
		return "", fault.Usagef("line 1: the file is JSON").Hintf("--format json, or another file")
	}
	docs := documents(existing)
	at, err := ours(fit, docs)
	if err != nil {
		return "", err
	}
	form := "yaml"
	if docs[at].text, form, err = setAll(fit, docs[at].text, docs[at].start); err != nil {
		return "", atLine(err, docs[at].start)
	}
	var out, body strings.Builder
	for _, line := range append([]string{"# " + head}, remarksOf(fit, form, "#")...) {
		out.WriteString(line + "\n")
	}
	for _, d := range docs {
		body.WriteString(d.marker + d.text)
	}
	return out.String() + stripHead(body.String(), "#"), nil
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

// holds reports whether a document has a setting of the library, or a text
// that is a configuration of it.
func holds(fit Fitted, doc *yamlText) bool {
	if hits, err := standing(fit.Library, YAML, doc.String(), 0); len(hits) > 0 || err != nil {
		return true
	}
	for _, s := range fit.Settings { // a mapping that is empty yet
		if _, steps, err := doc.find(whereIn(fit, s.Key)); owned(fit, s, "yaml") && (steps > 0 || err != nil) {
			return true
		}
	}
	if home, err := homeIn(fit, nil, doc.String(), 0); home.line > 0 || err != nil {
		return true
	}
	texts, _ := nestedTexts(fit, doc.root, "")
	return len(texts) > 0
}

// setAll sets every key in one document, or in the text nested in it, and says
// in which form that is written.
func setAll(fit Fitted, text string, below int) (changed, form string, err error) {
	doc, err := parseText(text)
	if err != nil {
		return "", "", err
	}
	inner, err := nestedIn(fit, doc)
	if err != nil {
		return "", "", err
	}
	hits, err := standing(fit.Library, YAML, text, below)
	if err != nil {
		return "", "", err
	}
	if inner == nil {
		if inner, err = textOf(doc, hits); err != nil {
			return "", "", err
		}
		if inner == nil {
			if err := loaded(fit, doc, text, hits); err != nil {
				return "", "", err
			}
			text, err = setKeys(fit, text, below)
			return text, "yaml", err
		}
	}
	form = "yaml"
	if f, ok := forms[extension(inner.pair.key.Value)]; ok && (f == Properties || f == TOML || f == Env) {
		form = string(f)
	}
	changed, err = doc.within(*inner, func(text string) (string, error) {
		if form != "yaml" {
			return setLines(fit, form, text, below+inner.pair.value.Line)
		}
		return setKeys(fit, text, below+inner.pair.value.Line)
	})
	return changed, form, err
}

// setKeys sets the keys of a mapping: those that stand there where they stand,
// the others beside them.
func setKeys(fit Fitted, text string, below int) (string, error) {
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
	hits, err := standing(fit.Library, YAML, text, below)
	if err != nil {
		return "", err
	}
	set := map[string]bool{}
	for key, h := range hits { // before a line moves
		if !slices.ContainsFunc(fit.Settings, func(s Setting) bool { return s.Key == key }) {
			continue
		}
		p, path, err := doc.locate(h.where(), h.path)
		if err == nil {
			err = unshared(doc.root, p.value, h.path)
		}
		if err != nil {
			return "", err
		}
		set[path] = true
	}
	home, err := homeIn(fit, hits, text, below)
	if err != nil {
		return "", err
	}
	in, dotted, base, err := doc.base(home)
	if err != nil {
		return "", err
	}
	if c, ok := fit.Library.(conflicter); ok && len(in) > 1 {
		p, _, err := doc.locate(in, home.like)
		if err == nil {
			err = c.conflicts(p.value, fit.Verdict.Run)
		}
		if err != nil {
			return "", err
		}
	}
	for _, s := range fit.Settings {
		h, there := hits[s.Key]
		if !there && !owned(fit, s, "yaml") {
			continue
		}
		if there {
			value, err := h.says(s.Text)
			if err != nil {
				return "", err
			}
			p, _, err := doc.locate(h.where(), h.path)
			if err == nil {
				err = doc.change(p, s.Provenance(fit.Library), value)
			}
			if err != nil {
				return "", err
			}
			continue
		}
		at, above, path := in, base, home.path(fit, s.Key)
		switch {
		case absolute(s.Key):
			at, above, path = nil, "", whereIn(fit, s.Key)
		case dotted != "":
			path = []string{dotted + strings.Join(path, ".")}
		}
		for i := range path {
			set[join(above, strings.Join(path[:i], "."))+".*"] = true
		}
		set[join(above, strings.Join(path, "."))] = true
		if err := doc.add(at, path, s.Provenance(fit.Library), s.Text); err != nil {
			return "", err
		}
	}
	for key, h := range hits { // what an earlier plan wrote and this one has not
		if slices.ContainsFunc(fit.Settings, func(s Setting) bool { return s.Key == key }) {
			continue
		}
		p, path, err := doc.locate(h.where(), h.path)
		if err != nil || p.key == nil || !doc.written(p) || doc.marked(p) {
			continue
		}
		set[path] = true
		if err := doc.remove(p); err != nil {
			return "", err
		}
	}
	if before != nil {
		if err := unchanged(before, doc.root, "", set); err != nil {
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
