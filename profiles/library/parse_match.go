package library

import (
	"math/big"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/lockplan/lockplan/calc/fault"
)

// matcher finds the library's key that a path ends in.
type matcher struct {
	keys  map[string]Key // by spelling, each part plain
	flat  map[string]Key // the same without the dots, as variables spell it
	parts int            // of the longest spelling
}

// hit is an entry with the key that it sets.
type hit struct {
	entry
	key      Key
	depth    int           // parts of the path that spell the key
	unit     time.Duration // that the name carries; 0 is the key's own
	unitName string
	fallback bool // a default for every lock of the file
}

func matcherOf(lib Library) matcher {
	m := matcher{keys: map[string]Key{}, flat: map[string]Key{}}
	all := lib.Sheet().AllKeys()
	set := func(spelling string, key Key) {
		parts := plainParts(spelling)
		m.parts = max(m.parts, len(parts))
		if _, taken := m.keys[strings.Join(parts, ".")]; !taken {
			m.keys[strings.Join(parts, ".")] = key
			m.flat[strings.Join(parts, "")] = key
		}
	}
	for _, key := range all {
		set(key.Name, key)
	}
	for _, key := range all {
		for _, other := range key.Other {
			set(other, key)
		}
	}
	return m
}

// plain drops what spellings of one word differ in: case, - and _.
func plain(s string) string { return strings.ToLower(separators.Replace(s)) }

var separators = strings.NewReplacer("-", "", "_", "")

func plainParts(path string) []string {
	parts := strings.Split(path, ".")
	for i, p := range parts {
		parts[i] = plain(p)
	}
	return parts
}

// match is the key that an entry sets: the longest spelling that its path ends
// in, else the same without the unit that the name ends in.
func (m matcher) match(e entry) (hit, bool, error) {
	parts := strings.Split(e.path, ".")
	key, depth, ok := m.find(parts)
	h := hit{entry: e, key: key, depth: depth}
	if ok {
		last := words(parts[len(parts)-depth])
		h.fallback = len(last) > 1 && strings.EqualFold(last[0], "default") || depth > 1 && strings.EqualFold(parts[len(parts)-2], "defaults")
		return h, true, nil
	}
	rest, unit := cutUnit(parts)
	if unit == "" {
		return h, false, nil
	}
	key, depth, ok = m.find(rest)
	if !ok || !key.Unit.IsTime() {
		return h, false, nil
	}
	h.key, h.depth, h.unitName = key, depth+len(parts)-len(rest), unit
	if h.unit, ok = unitWords[unit]; !ok {
		return h, false, fault.Usagef("%s%s: is the %q in its name a unit or a part of the name?", place(e.Value), e.path, unit).
			Hintf("%s", key.asked())
	}
	return h, true, nil
}

// asked is a key as it can be written without a doubt.
func (k Key) asked() string {
	switch k.Unit {
	case GoText:
		return k.Name + " with a unit in the value, such as 90s"
	case ISOText, SimpleTx:
		return k.Name + " with a unit in the value, such as PT1M30S"
	}
	return k.Name + ", in " + k.Unit.Label()
}

// whole is match for a name that stands alone.
func (m matcher) whole(name string, v Value) (hit, bool, error) {
	e := entry{at: dotted(nil, name), path: name, Value: v}
	h, ok, err := m.match(e)
	return h, ok && h.depth == len(e.at), err
}

func (m matcher) find(parts []string) (Key, int, bool) {
	same := make([]string, len(parts))
	for i := range parts {
		same[i] = plain(parts[i])
	}
	for n := min(m.parts, len(parts)); n > 0; n-- {
		if key, ok := m.keys[strings.Join(same[len(parts)-n:], ".")]; ok {
			return key, n, true
		}
	}
	if key, ok := m.flat[strings.Join(same, "")]; ok {
		return key, len(parts), true
	}
	if last := parts[len(parts)-1]; strings.Contains(last, "_") && strings.ToUpper(last) == last { // a variable below something
		if key, ok := m.flat[plain(last)]; ok {
			return key, 1, true
		}
	}
	return Key{}, 0, false
}

var named = regexp.MustCompile(`(?m)^\s*["']?([\w.\-]+)["']?\s*[:=]`)

// relevant reports whether a text sets one of the library's keys.
func (m matcher) relevant(text string) bool {
	for _, found := range named.FindAllStringSubmatch(text, 10_000) {
		if _, _, ok := m.find(strings.Split(found[1], ".")); ok {
			return true
		}
	}
	return false
}

// unitWords are units that a name may end in; "m" and "min" are none, since
// they are minutes to one and something else to the next.
var unitWords = map[string]time.Duration{
	"ns": 1, "nanos": 1, "nanoseconds": 1, "us": time.Microsecond, "micros": time.Microsecond, "microseconds": time.Microsecond,
	"ms": time.Millisecond, "msec": time.Millisecond, "msecs": time.Millisecond, "millis": time.Millisecond, "milliseconds": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "seconds": time.Second,
	"mins": time.Minute, "minutes": time.Minute, "hours": time.Hour, "h": time.Hour, "days": 24 * time.Hour,
}

// cutUnit takes the unit off the last word of a path.
func cutUnit(parts []string) (rest []string, unit string) {
	last := words(parts[len(parts)-1])
	unit = strings.ToLower(last[len(last)-1])
	if _, ok := unitWords[unit]; !ok && unit != "m" && unit != "min" {
		return nil, ""
	}
	rest = append([]string(nil), parts[:len(parts)-1]...)
	if len(last) > 1 {
		return append(rest, strings.Join(last[:len(last)-1], "")), unit
	}
	if len(rest) == 0 {
		return nil, ""
	}
	return rest, unit
}

// words splits a name in snake_case, kebab-case or camelCase.
func words(name string) []string {
	var out []string
	var word []rune
	runes := []rune(name)
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = nil
		}
	}
	for i, r := range runes {
		if r == '-' || r == '_' {
			flush()
			continue
		}
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// value is the entry's text in the key's own unit, with what it is filled in
// from resolved.
func (h hit) value() (Value, error) {
	v := h.Value
	if v.Unknown != "" {
		return v, nil
	}
	resolved, why := placeholder(v.Text)
	if why != "" {
		v.Unknown = why
		return v, nil
	}
	v.Text = resolved
	if h.odd != "" {
		return v, fault.Usagef("%s%s: %s", place(v), h.key.Name, h.odd).Hintf("without the leading zero")
	}
	if h.unit == 0 {
		return v, nil
	}
	number, ok := new(big.Rat).SetString(strings.ReplaceAll(v.Text, "_", ""))
	if !ok || len(v.Text) > 40 || strings.ContainsAny(v.Text, "eE/xXpP") {
		return v, fault.Usagef("%s%s: the name says %q and the value is %q: no plain number", place(v), h.path, h.unitName, v.Text).
			Hintf("%s", h.key.asked())
	}
	number.Mul(number, new(big.Rat).SetInt64(int64(h.unit)))
	d := time.Duration(0)
	if number.IsInt() && number.Num().IsInt64() {
		d = time.Duration(number.Num().Int64())
	}
	quantum := h.key.Unit.quantum()
	if !number.IsInt() || !number.Num().IsInt64() || d%quantum != 0 {
		return v, fault.Usagef("%s%s: %s %s is no whole number of %s", place(v), h.path, v.Text, h.unitName, h.key.Unit.Label()).
			Hintf("%s", h.key.asked())
	}
	v.Text = h.key.Unit.Format(d)
	return v, nil
}
