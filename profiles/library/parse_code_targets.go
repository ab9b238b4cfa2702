package library

import (
	"regexp"
	"strings"
)

// multiple is a statement that gives values to several names, or to one with
// its type in front of the sign: a, b := 1, 2; const [a, b] = [1, 2].
type multiple struct {
	targets []target
	sign    string
}

type target struct {
	name  string // without what stands before a dot
	at    int
	value string // its own by place; where none can be told, all of them
	known bool   // whether the value is its own
}

// longestLeft is how far a statement's names stand before its sign.
const longestLeft = 500

var (
	assignSign = regexp.MustCompile(`:=|=`)
	keywords   = regexp.MustCompile(`^\s*(?:(?:export|var|const|let|val|if|else|for|switch|case)\b\s*)*`)
	typed      = regexp.MustCompile(`^\w+\s+[\w.*]+$`)          // Go's: a time.Duration
	lastName   = regexp.MustCompile(`(\w+)(?:\s+[\w.*]+)?\s*$`) // the same, behind a dot or not
	goReading  = regexp.MustCompile(`^[\w.]+\.P?TTL\(`)         // asks a store
	imported   = regexp.MustCompile(`^(?:await\s+)?(?:require|import)\b`)
)

// assignments are the statements of a file that give several values, by the
// place of their sign. What a statement cannot be matched with is not known.
func (s source) assignments() map[int]multiple {
	out := map[int]multiple{}
	for _, at := range assignSign.FindAllStringIndex(s.names, -1) {
		sign, from := at[0], at[1]
		if sign > 0 && strings.IndexByte("=!<>+-*/%&|^~@", s.names[sign-1]) >= 0 || from < len(s.names) && strings.IndexByte("=>", s.names[from]) >= 0 {
			continue
		}
		if s.language == "py" && s.opening(sign) >= 0 { // an argument by its name
			continue
		}
		left := s.left(sign)
		text := s.names[left:sign]
		left += len(keywords.FindString(text))
		text = strings.TrimRight(s.names[left:sign], " \t\n")
		inner, bracket := unwrap(text)
		positional := s.language == "go" || s.language == "py"
		spans := s.commas(left, left+len(text))
		switch {
		case bracket == '{' && s.language == "js", bracket == '[' && s.language == "js", bracket == '(' && s.language == "java", bracket != 0 && s.language == "py":
			spans = s.commas(left+1, left+1+len(inner))
		case s.language == "go" && typed.MatchString(text):
		case !positional || len(spans) < 2:
			continue
		}
		right := s.statement(from)
		if imported.MatchString(right) || s.language == "go" && goReading.MatchString(right) { // what a lock has left is no setting
			continue
		}
		begin := from + strings.Index(s.code[from:], right)
		values := s.commas(begin, begin+len(right))
		if inside, is := unwrap(s.names[begin : begin+len(right)]); len(values) == 1 && len(spans) > 1 && (is == '[' || is == '(' && s.language == "py") {
			values = s.commas(begin+1, begin+1+len(inside))
		}
		if bracket == '{' { // by name; an object written out is read where it stands
			if strings.HasPrefix(right, "{") {
				continue
			}
			values = nil
		}
		a := multiple{sign: s.names[sign:from]}
		matched := len(values) == len(spans) && !strings.Contains(text, "*") && !strings.Contains(text, "...")
		for i, span := range spans {
			text := s.names[span[0]:span[1]]
			if i := strings.IndexAny(text, "=:"); i >= 0 { // JavaScript's: a = default, a: here
				text = text[:i]
			}
			m := lastName.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			t := target{name: s.names[span[0]+m[2] : span[0]+m[3]], at: span[0] + m[2], value: right, known: matched}
			if matched {
				t.value = strings.TrimSpace(s.code[values[i][0]:values[i][1]])
			}
			a.targets = append(a.targets, t)
		}
		out[sign] = a
	}
	return out
}

// left is where the names before a sign begin.
func (s source) left(sign int) int {
	depth, braces := 0, s.language == "js" // that take objects apart
	for i := sign - 1; i >= 0 && sign-i < longestLeft; i-- {
		switch c := s.names[i]; {
		case c == '}' && !braces && depth == 0:
			return i + 1
		case c == ')' || c == ']' || c == '}':
			depth++
		case c == '(' || c == '[' || c == '{':
			if depth--; depth >= 0 {
				continue
			}
			return i + 1
		case depth > 0:
		case c == ';', c == ':' && i+1 != sign, c == '=', c == ',' && s.language != "go" && s.language != "py":
			return i + 1
		case c == '\n' && !strings.HasSuffix(strings.TrimRight(s.names[:i], " \t\r"), ","):
			return i + 1
		}
	}
	return max(0, sign-longestLeft)
}

// statement is the text behind a sign, up to the end of its statement.
func (s source) statement(from int) string {
	return strings.TrimSpace(s.until(from, func(i int) bool {
		if s.names[i] != '\n' {
			return s.names[i] == ';'
		}
		before := strings.TrimSpace(s.names[from:i])
		return before != "" && !strings.ContainsAny(before[len(before)-1:], ",*+")
	}))
}

// commas are the parts of a text between its commas outside of brackets.
func (s source) commas(from, to int) (out [][2]int) {
	depth, begin := 0, from
	for i := from; i < to; i++ {
		switch s.names[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, [2]int{begin, i})
				begin = i + 1
			}
		}
	}
	if strings.TrimSpace(s.names[begin:to]) != "" { // not behind the last comma
		out = append(out, [2]int{begin, to})
	}
	return out
}

// unwrap is what a bracket around all of a text holds; 0 is none.
func unwrap(text string) (inside string, bracket byte) {
	if text == "" || strings.IndexByte("([{", text[0]) < 0 {
		return "", 0
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 && i < len(text)-1 {
				return "", 0
			}
		}
	}
	if depth != 0 {
		return "", 0
	}
	return text[1 : len(text)-1], text[0]
}
