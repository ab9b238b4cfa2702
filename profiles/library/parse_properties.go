package library

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/lockplan/lockplan/calc/fault"
)

// properties reads Java properties as java.util.Properties does: a key ends at
// the first =, : or white space, a backslash escapes and joins lines. Spring's
// #--- begins another document.
func (r *reader) properties(text string, o origin, at []step) error {
	number, document := 0, 0
	logical, from := "", 0
	for line := range strings.Lines(text) {
		if number++; len(r.out) > maxEntries {
			return nil // read says it
		}
		line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t\f")
		if logical == "" {
			from = number
			if line == "#---" || line == "!---" {
				document++
			}
			if line == "" || line[0] == '#' || line[0] == '!' {
				continue
			}
		}
		backslashes := len(line) - len(strings.TrimRight(line, `\`))
		logical += line
		if backslashes%2 == 1 {
			logical = strings.TrimSuffix(logical, `\`)
			continue
		}
		if err := r.property(logical, o.line(from), under(at, step{kind: inItem, number: document})); err != nil {
			return err
		}
		logical = ""
	}
	if logical == "" {
		return nil
	}
	return r.property(logical, o.line(from), under(at, step{kind: inItem, number: document}))
}

func (r *reader) property(line string, number int, at []step) error {
	cut := len(line)
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if strings.IndexByte("=: \t\f", line[i]) >= 0 {
			cut = i
			break
		}
	}
	rest := strings.TrimLeft(line[cut:], " \t\f")
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], " \t\f")
	}
	key, ok := unescape(line[:cut])
	value, ok2 := unescape(rest)
	if !ok || !ok2 {
		return fault.Usagef("%s:%d: %q has a malformed \\uXXXX", r.name, number, line)
	}
	r.add(at, key, Value{Text: strings.TrimRight(value, " \t"), File: r.name, Line: number})
	if strings.ContainsAny(value, "\n{") {
		return r.inner(key, value, origin{below: number - 1, flat: true}, dotted(at, key))
	}
	return nil
}

// unescape resolves the escapes of properties; ok is false for a \u without
// four hexadecimal digits.
func unescape(text string) (resolved string, ok bool) {
	if !strings.Contains(text, `\`) {
		return text, true
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			if text[i] != '\\' {
				out.WriteByte(text[i])
			}
			continue
		}
		i++
		switch text[i] {
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'f':
			out.WriteByte('\f')
		case 'u':
			r, n, ok := unicodeEscape(text[i+1:])
			if !ok {
				return "", false
			}
			i += n
			out.WriteRune(r)
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String(), true
}

// unicodeEscape reads what follows \u, with the second half of a surrogate
// pair.
func unicodeEscape(text string) (r rune, length int, ok bool) {
	hex := func(from int) (rune, bool) {
		if len(text) < from+4 {
			return 0, false
		}
		n, err := strconv.ParseUint(text[from:from+4], 16, 16)
		return rune(n), err == nil
	}
	if r, ok = hex(0); !ok {
		return 0, 0, false
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(text[4:], `\u`) {
		if low, ok := hex(6); ok {
			return utf16.DecodeRune(r, low), 10, true
		}
	}
	return r, 4, true
}
