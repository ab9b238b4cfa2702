package library

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// written is what a template says of the file that it made.
type written struct {
	keys  map[string]bool // that its lines hold
	lines map[int]bool    // of the file that were read by it
}

// shape is a line of a template as a pattern of the lines that it writes.
type shape struct {
	pattern *regexp.Regexp
	slots   []slot
}

type slot struct {
	action, key string
	same        string // the key, where the template has written it before
}

var actions = regexp.MustCompile(`\{\{-?\s*(.*?)\s*\}\}`)

// shapes are the lines of a template that hold settings.
func shapes(template, language string) (out []shape, keys map[string]bool) {
	keys = map[string]bool{}
	code, _ := blank(template, language)
	for line := range strings.Lines(code) {
		var sh shape
		var pattern strings.Builder
		last := 0
		line = strings.TrimSpace(line)
		for _, at := range actions.FindAllStringSubmatchIndex(line, -1) {
			pattern.WriteString(spaced(line[last:at[0]]))
			last = at[1]
			action, key, _ := strings.Cut(line[at[2]:at[3]], " ")
			switch action {
			case ".ID":
				pattern.WriteString(`\w*?`)
			case ".Go", ".Ms", ".Sec", ".Raw", ".Delay":
				key = strings.Trim(key, `"`)
				if keys[key] { // another name for the same number
					sh.slots = append(sh.slots, slot{action: action, same: key})
				} else {
					sh.slots = append(sh.slots, slot{action: action, key: key})
				}
				pattern.WriteString(`(.+?)`)
			}
		}
		if len(sh.slots) == 0 {
			continue
		}
		for _, s := range sh.slots {
			keys[s.key] = true
		}
		pattern.WriteString(spaced(line[last:]))
		sh.pattern = regexp.MustCompile(`^\s*` + pattern.String() + `\s*$`)
		out = append(out, sh)
	}
	delete(keys, "")
	return out, keys
}

// spaced is a literal whose white space may be more or less.
func spaced(text string) string {
	parts := strings.Fields(text)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	out := strings.Join(parts, `\s+`)
	if text != "" && strings.TrimLeft(text, " \t") != text {
		out = `\s*` + out
	}
	if len(parts) > 0 && strings.TrimRight(text, " \t") != text {
		out += `\s*`
	}
	return out
}

// emitted are the constants of the lines that the library's template writes.
// Where the code says what lockplan's comment says, cut to the precision of
// the language, the comment's text is kept.
func (s source) emitted(lib Library, said map[string]entry) ([]entry, written, error) {
	w := written{lines: map[int]bool{}}
	var all []shape
	all, w.keys = shapes(lib.Sheet().Code[s.language], s.language)
	var out []entry
	for i, start := range s.starts {
		end := len(s.code)
		if i+1 < len(s.starts) {
			end = s.starts[i+1] - 1
		}
		line := s.code[start:end]
		for _, sh := range all {
			m := sh.pattern.FindStringSubmatch(line)
			if m == nil || !s.repeats(lib, sh, m, out) {
				continue
			}
			w.lines[i+1] = true
			for n, slot := range sh.slots {
				if slot.key == "" && slot.action != ".Delay" {
					continue
				}
				key, _ := lib.Sheet().Key(slot.key)
				if slot.action == ".Delay" {
					key = delayKey(lib)
				}
				text, ok := s.slotText(slot, key, m[n+1])
				if !ok {
					return nil, w, s.unread(key, start, m[n+1])
				}
				if e, noted := said[key.Name]; noted && slot.cut(key, e.Text) == slot.cut(key, text) {
					text = e.Text
				}
				out = append(out, s.constant(key, text, start))
			}
			break
		}
	}
	if len(out) == 0 && len(said) > 0 && len(w.keys) > 0 {
		for _, e := range said {
			if w.keys[e.path] {
				return nil, w, fault.Usagef("%s%s: the comment says %s, and the code does not say it in a way that can be read", place(e.Value), e.path, e.Text).
					Hintf("a constant, as lockplan emit --format %s writes it", s.language)
			}
		}
	}
	return out, w, nil
}

// repeats reports whether a line says, of what the template has written before,
// the same again: where it does not, somebody else wrote it.
func (s source) repeats(lib Library, sh shape, m []string, out []entry) bool {
	for n, slot := range sh.slots {
		if slot.same == "" {
			continue
		}
		key, _ := lib.Sheet().Key(slot.same)
		text, ok := s.slotText(slot, key, m[n+1])
		if !ok || !slices.ContainsFunc(out, func(e entry) bool { return e.path == key.Name && slot.cut(key, e.Text) == slot.cut(key, text) }) {
			return false
		}
	}
	return true
}

// delayKey is the key that .Delay stands for.
func delayKey(lib Library) Key {
	name := "retryDelay"
	if v, ok := lib.(interface{ before(int, int) bool }); ok && v.before(4, 0) {
		name = "retryInterval"
	}
	key, _ := lib.Sheet().Key(name)
	return key
}

// slotText is what a slot holds, in the unit of its key.
func (s source) slotText(sl slot, key Key, text string) (string, bool) {
	c, ok := s.evaluate(text, 0)
	switch sl.action {
	case ".Raw":
		if !ok && !strings.ContainsAny(text, `"'()`) { // the inside of a text
			c, ok = constant{text: text, isText: true}, true
			if key.Unit == Count || key.Unit == Factor || key.Unit == Switch {
				return "", false
			}
		}
		text, spelled := c.spell(key, s.language, 0)
		return text, ok && spelled
	case ".Delay":
		d, isTime := c.duration(Millis.quantum())
		if key.Unit == Word {
			return "!<org.redisson.config.ConstantDelay> {delay: " + ISOText.Format(d) + "}", ok && isTime
		}
		return Millis.Format(d), ok && isTime
	}
	unit := map[string]int64{".Go": 1, ".Ms": 1e6, ".Sec": 1e9}[sl.action]
	d, isTime := c.duration(time.Duration(unit))
	if !ok || !isTime || d%key.Unit.quantum() != 0 {
		return "", false
	}
	return key.Unit.Format(d), true
}

// cut is a setting's text as far as the action's precision shows it.
func (sl slot) cut(key Key, text string) string {
	d, err := key.Unit.Parse(text)
	if err != nil || !key.Unit.IsTime() {
		return text
	}
	if sl.action == ".Ms" || sl.action == ".Sec" {
		d = d.Truncate(Millis.quantum())
	}
	return d.String()
}
