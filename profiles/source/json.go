package source

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// deepest is how far JSON may nest: more than any format here does.
const deepest = 64

// longestString is more than any label or name is long.
const longestString = 1 << 20

// jsonReader pulls values out of a stream of JSON without building a tree.
// The first error sticks: after it every call returns at once, so a reader of
// a format may look at err once, at its end.
type jsonReader struct {
	in         *input
	buf        []byte
	start, end int
	eof        bool
	err        error
	depth      int
	line       int // of buf[counted]
	counted    int
	text       []byte // of the last string that had escapes
	keys       [deepest + 1][]byte
}

func newJSON(in *input) *jsonReader {
	return &jsonReader{in: in, buf: make([]byte, 256<<10), line: 1}
}

// at is the line that is being read.
func (j *jsonReader) at() int {
	j.line += bytes.Count(j.buf[j.counted:j.start], []byte{'\n'})
	j.counted = j.start
	return j.line
}

func (j *jsonReader) fail(format string, args ...any) {
	if j.err == nil {
		j.err = j.in.usagef(j.at(), format, args...)
	}
}

// errSyntax is below every error of text that is not JSON, or not all of it.
var errSyntax = errors.New("malformed JSON")

func (j *jsonReader) malformed(format string, args ...any) {
	if j.err == nil {
		err := j.in.usagef(j.at(), format, args...)
		err.Err = errSyntax
		j.err = err
	}
}

// more reads on, keeping what was not used; false at the end of the input.
func (j *jsonReader) more() bool {
	if j.eof || j.err != nil {
		return false
	}
	j.at()
	copy(j.buf, j.buf[j.start:j.end])
	j.end -= j.start
	j.start, j.counted = 0, 0
	if j.end == len(j.buf) {
		if len(j.buf) >= longestString {
			j.fail("a string or number longer than %d bytes", longestString)
			return false
		}
		j.buf = append(j.buf, make([]byte, len(j.buf))...)
	}
	n, err := j.in.r.Read(j.buf[j.end:])
	j.end += n
	switch {
	case err == io.EOF:
		j.eof = true
	case err != nil:
		j.err = j.in.failed(err)
	}
	return n > 0 || !j.eof && j.err == nil
}

// peek is the first byte of the next value, 0 at the end of the input.
func (j *jsonReader) peek() byte {
	for j.err == nil {
		for j.start < j.end {
			switch c := j.buf[j.start]; c {
			case ' ', '\t', '\r', '\n':
				j.start++
			default:
				return c
			}
		}
		if !j.more() {
			return 0
		}
	}
	return 0
}

// expect takes one punctuation mark.
func (j *jsonReader) expect(want byte) bool {
	c := j.peek()
	if j.err != nil {
		return false
	}
	if c != want {
		j.unexpected(c, "'"+string(want)+"'")
		return false
	}
	j.start++
	return true
}

func (j *jsonReader) unexpected(c byte, want string) {
	if c == 0 && j.start >= j.end {
		j.cutOff(want)
		return
	}
	j.malformed("%s in the JSON where %s was expected", strconv.QuoteRuneToASCII(rune(c)), want)
}

func (j *jsonReader) cutOff(want string) {
	j.malformed("the JSON is cut off: %s was expected", want)
}

func (j *jsonReader) enter() bool {
	j.depth++
	if j.depth > deepest {
		j.fail("the JSON nests deeper than %d levels", deepest)
		return false
	}
	return true
}

// object calls each with every key; each must take the value. The key is
// valid until each returns: it is a copy, because reading on, even to the
// colon, may overwrite the buffer.
func (j *jsonReader) object(each func(key []byte)) {
	if !j.expect('{') || !j.enter() {
		return
	}
	defer func() { j.depth-- }()
	if j.peek() == '}' {
		j.start++
		return
	}
	for {
		key := append(j.keys[j.depth][:0], j.str()...)
		j.keys[j.depth] = key
		if !j.expect(':') {
			return
		}
		each(key)
		switch c := j.peek(); {
		case j.err != nil:
			return
		case c == ',':
			j.start++
		case c == '}':
			j.start++
			return
		default:
			j.unexpected(c, "',' or '}'")
			return
		}
	}
}

// array calls each for every element; each must take it.
func (j *jsonReader) array(each func(i int)) {
	if !j.expect('[') || !j.enter() {
		return
	}
	defer func() { j.depth-- }()
	if j.peek() == ']' {
		j.start++
		return
	}
	for i := 0; ; i++ {
		each(i)
		switch c := j.peek(); {
		case j.err != nil:
			return
		case c == ',':
			j.start++
		case c == ']':
			j.start++
			return
		default:
			j.unexpected(c, "',' or ']'")
			return
		}
	}
}

// str takes a string; it is valid until the next call.
func (j *jsonReader) str() []byte {
	if !j.expect('"') {
		return nil
	}
	seen := 0
	for {
		text := j.buf[j.start+seen : j.end]
		at := bytes.IndexByte(text, '"')
		if at >= 0 {
			text = text[:at]
		}
		if slash := bytes.IndexByte(text, '\\'); slash >= 0 {
			return j.escaped(j.start + seen + slash)
		}
		if at >= 0 {
			whole := j.buf[j.start : j.start+seen+at]
			j.start += seen + at + 1
			return whole
		}
		seen = j.end - j.start
		if !j.more() {
			j.cutOff("the end of a string")
			return nil
		}
	}
}

// escaped takes a string whose first backslash is at i.
func (j *jsonReader) escaped(i int) []byte {
	j.text = append(j.text[:0], j.buf[j.start:i]...)
	j.start = i
	for j.err == nil {
		if j.end-j.start < 12 && !j.eof {
			j.more()
			continue
		}
		if j.start >= j.end {
			break
		}
		c := j.buf[j.start]
		switch {
		case c == '"':
			j.start++
			return j.text
		case c != '\\':
			j.text = append(j.text, c)
			j.start++
		case !j.unescapeOne():
			return nil
		}
		if len(j.text) > longestString {
			j.fail("a string longer than %d bytes", longestString)
		}
	}
	j.cutOff("the end of a string")
	return nil
}

func (j *jsonReader) unescapeOne() bool {
	rest := j.buf[j.start:j.end]
	if len(rest) < 2 || rest[1] == 'u' && len(rest) < 6 && bytes.IndexByte(rest, '"') < 0 {
		j.cutOff("the end of a string")
		return false
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if at := bytes.IndexByte([]byte(from), rest[1]); at >= 0 {
		j.text = append(j.text, to[at])
		j.start += 2
		return true
	}
	r, n := hexRune(rest)
	if n == 0 {
		j.malformed("an escape that JSON does not have: %s", show(rest[:2]))
		return false
	}
	j.text = utf8.AppendRune(j.text, r)
	j.start += n
	return true
}

// hexRune reads \uXXXX or a pair of them.
func hexRune(text []byte) (r rune, n int) {
	one := func(text []byte) (rune, bool) {
		if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(string(text[2:6]), 16, 32)
		return rune(v), err == nil
	}
	r, ok := one(text)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := one(text[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// number takes a number, or a string that holds one, as text; it is valid
// until the next call. null gives an empty text.
func (j *jsonReader) number() []byte {
	switch c := j.peek(); {
	case c == '"':
		return j.str()
	case c == '-' || c >= '0' && c <= '9':
		return j.bare()
	case c == 'n':
		j.bare()
		return nil
	default:
		if j.err == nil {
			j.unexpected(c, "a number")
		}
		return nil
	}
}

// bare takes a number or a word.
func (j *jsonReader) bare() []byte {
	n := 0
	for {
		for ; j.start+n < j.end; n++ {
			c := j.buf[j.start+n]
			if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
				continue
			}
			text := j.buf[j.start : j.start+n]
			j.start += n
			return text
		}
		if !j.more() {
			text := j.buf[j.start : j.start+n]
			j.start += n
			return text
		}
	}
}

// skip takes any value and forgets it.
func (j *jsonReader) skip() {
	switch c := j.peek(); {
	case j.err != nil:
	case c == '{':
		j.object(func([]byte) { j.skip() })
	case c == '[':
		j.array(func(int) { j.skip() })
	case c == '"':
		j.str()
	case c == 't' || c == 'f' || c == 'n' || c == '-' || c >= '0' && c <= '9':
		word := j.bare()
		if _, ok := number(word); !ok && string(word) != "true" && string(word) != "false" && string(word) != "null" {
			j.malformed("%s in the JSON is no value", show(word))
		}
	default:
		j.unexpected(c, "a value")
	}
}

// done says whether the input ends here, blanks aside.
func (j *jsonReader) done() bool { return j.peek() == 0 && j.err == nil && j.start >= j.end }

// finish is the first error, or that of anything that follows.
func (j *jsonReader) finish() error {
	if j.err == nil && !j.done() {
		j.malformed("something follows the JSON")
	}
	return j.err
}
