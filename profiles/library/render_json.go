package library

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// whyKey holds in JSON, which has no comments, where each number comes from.
const whyKey = "lockplan_why"

// renderJSON sets keys where they stand, and the others beside them: the unit
// stands in the key and the provenance in an object at the root.
func renderJSON(fit Fitted, existing string) (string, error) {
	doc, err := readObject(existing)
	if err != nil {
		return "", err
	}
	hits, err := standing(fit.Library, JSON, doc.text, 0)
	if err != nil {
		return "", err
	}
	var written map[string]string // by an earlier run
	if old, there := doc.value(whyKey); there {
		if json.Unmarshal([]byte(old), &written) != nil {
			return "", fault.Usagef("%s is not what lockplan writes there", whyKey).Hintf("rename it")
		}
	}
	home := homeOf(fit, hits)
	if home.line > 0 && !home.flat && slices.ContainsFunc(fit.Settings, func(s Setting) bool { return len(whereIn(fit, s.Key)) > 1 && !fit.app(s) }) {
		return "", fault.Usagef("line %d: this is %s's own file, and JSON has no comments for what the application keeps", home.line, fit.Library.Name()).
			Hintf("the same as YAML; or --format json --dir DIR, a file for the application")
	}
	home.flat = true
	why := map[string]string{}
	for _, s := range fit.Settings {
		if h, there := hits[s.Key]; there {
			name := strings.Join(namesOf(h.where()), ".")
			if why[name] = s.Why; written[name] == "" || strings.HasSuffix(written[name], yours) {
				why[name] += yours
			}
			if err := doc.change(h, s.Text); err != nil {
				return "", err
			}
			continue
		}
		key, _ := fit.Library.Sheet().Key(s.Key)
		at, name := home.at, strings.Join(home.path(fit, s.Key), ".")
		if absolute(s.Key) {
			at, name = nil, s.Key
		}
		switch key.Unit {
		case Millis:
			name += "_ms"
		case Seconds, Decimal:
			name += "_s"
		}
		text, err := json.Marshal(jsonValue(key.Unit, s.Text))
		if err != nil {
			return "", fault.Usagef("%s: %w", s.Key, err)
		}
		if err := doc.add(at, name, string(text)); err != nil {
			return "", err
		}
		why[join(strings.Join(namesOf(at), "."), name)] = s.Why
	}
	for name, reason := range written {
		if _, still := why[name]; still || strings.HasSuffix(reason, yours) {
			continue
		}
		if _, err := doc.in(dotted(nil, name), func(o *object, f field) error { return o.remove(f.name) }); err != nil {
			return "", err
		}
	}
	text, err := json.MarshalIndent(why, "  ", "  ")
	if err == nil {
		err = doc.set(whyKey, string(text))
	}
	return doc.text, err
}

// app reports whether a setting is the application's to keep.
func (f Fitted) app(s Setting) bool {
	key, _ := f.Library.Sheet().Key(s.Key)
	return key.App
}

// namesOf are the names of a place.
func namesOf(at []step) []string {
	var out []string
	for _, s := range at {
		if s.kind == inKey {
			out = append(out, s.name)
		}
	}
	return out
}

// change puts a setting's value where it stands: a number for a number, a text
// for a text, the default of a placeholder.
func (o *object) change(h hit, text string) error {
	value, err := h.says(text)
	if err != nil {
		return err
	}
	found, err := o.in(h.where(), func(o *object, f field) error {
		now, err := json.Marshal(jsonValue(h.key.Unit, value))
		if old := ""; json.Unmarshal([]byte(o.text[f.at:f.until]), &old) == nil {
			if filled, ok := refill(old, value); ok {
				value = filled
			}
			now, err = json.Marshal(value)
		}
		if err != nil {
			return fault.Usagef("%s: %w", h.path, err)
		}
		o.text = o.text[:f.at] + string(now) + o.text[f.until:]
		return nil
	})
	if err == nil && !found {
		err = fault.Usagef("%s%s cannot be changed in place", place(h.Value), h.path).Hintf("a key of an object, in no list")
	}
	return err
}

// add adds a field to the object at a place.
func (o *object) add(at []step, name, value string) error {
	if len(namesOf(at)) == 0 {
		return o.set(name, value)
	}
	found, err := o.in(at, func(o *object, f field) error {
		inner, err := readObject(o.text[f.at:f.until])
		if err == nil {
			err = inner.set(name, value)
		}
		if err == nil {
			o.text = o.text[:f.at] + inner.text + o.text[f.until:]
		}
		return err
	})
	if found || err != nil {
		return err
	}
	return o.set(strings.Join(namesOf(at), ".")+"."+name, value) // the names stand in one key
}

// in edits the field at a place, in the object that holds it.
func (o *object) in(at []step, edit func(o *object, f field) error) (found bool, err error) {
	if len(at) > 0 && at[0].kind == inItem { // the document
		at = at[1:]
	}
	for _, f := range o.fields {
		parts := strings.Split(f.name, ".")
		if len(parts) > len(at) || !spell(at[:len(parts)], parts) {
			continue
		}
		if len(parts) == len(at) {
			if err := edit(o, f); err != nil {
				return true, err
			}
			return true, o.scan()
		}
		inner, err := readObject(o.text[f.at:f.until])
		if err != nil { // no object
			continue
		}
		if found, err := inner.in(at[len(parts):], edit); found || err != nil {
			o.text = o.text[:f.at] + inner.text + o.text[f.until:]
			return found, errors.Join(err, o.scan())
		}
	}
	return false, nil
}

// object is a JSON object as text.
type object struct {
	text   string
	fields []field
	end    int // of the closing bracket
}

type field struct {
	name            string
	from, at, until int // the key's, the value's first and last byte + 1
}

// readObject finds the fields of the outermost object.
func readObject(text string) (*object, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	o := &object{text: text}
	return o, o.scan()
}

func (o *object) scan() error {
	bad := func(err error) error { return fault.Usagef("the file is not a JSON object: %q", err.Error()) }
	o.fields = nil
	dec := json.NewDecoder(strings.NewReader(o.text))
	if first, err := dec.Token(); err != nil {
		return bad(err)
	} else if first != json.Delim('{') {
		return fault.Usagef("the file is not a JSON object")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return bad(err)
		}
		keyEnd := int(dec.InputOffset())
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return bad(err)
		}
		name, _ := key.(string)
		until := int(dec.InputOffset())
		o.fields = append(o.fields, field{name, o.keyStart(keyEnd), until - len(raw), until})
	}
	if _, err := dec.Token(); err != nil {
		return bad(err)
	}
	o.end = int(dec.InputOffset()) - 1
	if _, err := dec.Token(); err != io.EOF {
		return fault.Usagef("the file holds more than a JSON object")
	}
	return nil
}

// keyStart is where the key that ends at a place begins: behind the comma or
// bracket and the white space after the field before.
func (o *object) keyStart(end int) int {
	from := 0
	if n := len(o.fields); n > 0 {
		from = o.fields[n-1].until
	}
	return from + strings.IndexByte(o.text[from:end], '"')
}

func (o *object) value(name string) (string, bool) {
	i := slices.IndexFunc(o.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return "", false
	}
	return o.text[o.fields[i].at:o.fields[i].until], true
}

// set puts a value in the place of the old one, or at the end. The last of
// two fields of a name is the one that counts.
func (o *object) set(name, value string) error {
	for _, f := range slices.Backward(o.fields) {
		if f.name == name {
			o.text = o.text[:f.at] + value + o.text[f.until:]
			return o.scan()
		}
	}
	key := strconv.Quote(name) + ": " + value
	if len(o.fields) == 0 {
		o.text = o.text[:strings.IndexByte(o.text, '{')] + "{\n  " + key + "\n}" + o.text[o.end+1:]
	} else {
		last := o.fields[len(o.fields)-1]
		o.text = o.text[:last.until] + "," + o.gap() + key + o.text[last.until:]
	}
	return o.scan()
}

// gap is the white space that the file has between two fields.
func (o *object) gap() string {
	first := o.fields[0].from
	space := o.text[:first]
	return space[len(strings.TrimRight(space, " \t\r\n")):]
}

// remove takes away a field with its comma.
func (o *object) remove(name string) error {
	i := slices.IndexFunc(o.fields, func(f field) bool { return f.name == name })
	switch {
	case i < 0:
		return nil
	case i > 0:
		o.text = o.text[:o.fields[i-1].until] + o.text[o.fields[i].until:]
	case len(o.fields) > 1:
		o.text = o.text[:o.fields[0].from] + o.text[o.fields[1].from:]
	default:
		o.text = o.text[:o.fields[0].from] + o.text[o.end:]
	}
	return o.scan()
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
