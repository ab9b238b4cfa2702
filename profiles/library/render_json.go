package library

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// whyKey holds in JSON, which has no comments, where each number comes from, and
// forKey in a file of lockplan's who loads it.
const (
	whyKey = "lockplan_why"
	forKey = "lockplan_for"
)

// renderJSON sets keys where they stand, and the others beside them: the unit
// stands in the key and the provenance in an object at the root.
func renderJSON(fit Fitted, existing string) (string, error) {
	doc, err := readObject(existing)
	if err != nil {
		return "", err
	}
	if _, ours := doc.value(forKey); ours || len(doc.fields) == 0 {
		if err := doc.set(forKey, strconv.Quote(Loads(fit.Library, "json"))); err != nil {
			return "", err
		}
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
