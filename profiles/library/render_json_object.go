package library

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

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
