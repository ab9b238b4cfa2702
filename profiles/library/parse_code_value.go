package library

import (
	"math/big"
	"regexp"
	"strings"
	"time"
)

// constant is a value that a source file says outright.
type constant struct {
	number  *big.Rat // nanoseconds where it is a time
	time    bool
	text    string
	isText  bool
	word    string // true or false
	nothing bool   // None, null, nil
}

// timeUnits are the languages' names of units.
var timeUnits = map[string]time.Duration{
	"time.Nanosecond": 1, "time.Microsecond": time.Microsecond, "time.Millisecond": time.Millisecond, "time.Second": time.Second,
	"time.Minute": time.Minute, "time.Hour": time.Hour,
	"Duration.ofNanos": 1, "Duration.ofMillis": time.Millisecond, "Duration.ofSeconds": time.Second, "Duration.ofMinutes": time.Minute,
	"Duration.ofHours": time.Hour, "Duration.ofDays": 24 * time.Hour,
	"NANOSECONDS": 1, "MICROSECONDS": time.Microsecond, "MILLISECONDS": time.Millisecond, "SECONDS": time.Second,
	"MINUTES": time.Minute, "HOURS": time.Hour, "DAYS": 24 * time.Hour,
	"microseconds": time.Microsecond, "milliseconds": time.Millisecond, "seconds": time.Second, "minutes": time.Minute,
	"hours": time.Hour, "days": 24 * time.Hour,
}

// wrappers are functions that give back what they are given.
var wrappers = regexp.MustCompile(`^((\w+\.)?(To|ToPtr|Ptr|Pointer|Duration|DurationPtr|valueOf)|ptr|int|float|int32|int64|Some)$`)

var (
	numeral     = regexp.MustCompile(`^(\d[\d_]*(?:\.\d+)?|\.\d+)(?:[lLfFdDn]\b)?`)
	namePattern = regexp.MustCompile(`^[A-Za-z_][\w.]*`)
)

// evaluate reads an expression of numbers, times, texts and constants of the
// file.
func (s source) evaluate(text string, depth int) (constant, bool) {
	p := evaluator{source: s, rest: text, depth: depth}
	c, ok := p.sum()
	return c, ok && strings.TrimSpace(p.rest) == ""
}

type evaluator struct {
	source
	rest  string
	depth int
}

func (p *evaluator) peek(signs string) byte {
	p.rest = strings.TrimSpace(p.rest)
	if p.rest != "" && strings.IndexByte(signs, p.rest[0]) >= 0 {
		return p.rest[0]
	}
	return 0
}

func (p *evaluator) sum() (constant, bool) {
	left, ok := p.product()
	for ok {
		sign := p.peek("+-")
		if sign == 0 {
			break
		}
		p.rest = p.rest[1:]
		var right constant
		if right, ok = p.product(); !ok || left.number == nil || right.number == nil || left.time != right.time {
			return left, false
		}
		if sign == '-' {
			right.number.Neg(right.number)
		}
		left.number = new(big.Rat).Add(left.number, right.number)
	}
	return left, ok
}

func (p *evaluator) product() (constant, bool) {
	left, ok := p.single()
	for ok {
		sign := p.peek("*/")
		if sign == 0 {
			break
		}
		p.rest = p.rest[1:]
		var right constant
		if right, ok = p.single(); !ok || left.number == nil || right.number == nil || left.time && right.time {
			return left, false
		}
		if sign == '*' {
			left.number = new(big.Rat).Mul(left.number, right.number)
			left.time = left.time || right.time
			continue
		}
		if right.number.Sign() == 0 || right.time {
			return left, false
		}
		left.number = new(big.Rat).Quo(left.number, right.number)
	}
	return left, ok
}

func (p *evaluator) single() (constant, bool) {
	if p.depth++; p.depth > maxDepth {
		return constant{}, false
	}
	switch p.peek(`-&("'` + "`") {
	case '-':
		p.rest = p.rest[1:]
		c, ok := p.single()
		if !ok || c.number == nil {
			return c, false
		}
		c.number = new(big.Rat).Neg(c.number)
		return c, true
	case '&':
		p.rest = p.rest[1:]
		return p.single()
	case '(':
		p.rest = p.rest[1:]
		c, ok := p.sum()
		return c, ok && p.eat(')')
	case '"', '\'', '`':
		end := strings.IndexByte(p.rest[1:], p.rest[0])
		if end < 0 {
			return constant{}, false
		}
		inside := p.rest[1 : 1+end]
		if p.language == "java" { // Kotlin's spelling of a Spring placeholder
			inside = strings.ReplaceAll(inside, `\${`, "${")
		}
		if strings.Contains(inside, `\`) || strings.Contains(inside, "${") && p.language == "js" {
			return constant{}, false
		}
		c := constant{text: inside, isText: true}
		p.rest = p.rest[2+end:]
		return c, true
	}
	if m := numeral.FindStringSubmatch(p.rest); m != nil && len(m[0]) < 40 {
		p.rest = p.rest[len(m[0]):]
		if next := p.rest; next != "" && (next[0] == '_' || next[0] >= 'a' && next[0] <= 'z' || next[0] >= 'A' && next[0] <= 'Z') {
			return constant{}, false // 0x10, 1e3
		}
		digits := strings.ReplaceAll(m[1], "_", "")
		if len(digits) > 1 && digits[0] == '0' && digits[1] != '.' { // octal to some
			return constant{}, false
		}
		number, ok := new(big.Rat).SetString(digits)
		return constant{number: number}, ok
	}
	name := namePattern.FindString(p.rest)
	p.rest = p.rest[len(name):]
	return p.name(name)
}

func (p *evaluator) eat(c byte) bool {
	if p.peek(string(c)) == 0 {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// name is a constant of the language, a call of one of its functions of time,
// or a constant of the file.
func (p *evaluator) name(name string) (constant, bool) {
	switch name {
	case "":
		return constant{}, false
	case "true", "True":
		return constant{word: "true"}, true
	case "false", "False":
		return constant{word: "false"}, true
	case "None", "null", "nil", "undefined":
		return constant{nothing: true}, true
	case "Duration.ZERO":
		return constant{number: new(big.Rat), time: true}, true
	}
	if unit, ok := timeUnits[name]; ok && strings.HasPrefix(name, "time.") {
		return constant{number: new(big.Rat).SetInt64(int64(unit)), time: true}, true
	}
	if p.language == "go" && p.peek("[") != 0 && wrappers.MatchString(name) { // ptr.To[time.Duration](x)
		if end := strings.IndexByte(p.rest, ']'); end >= 0 {
			p.rest = p.rest[end+1:]
		}
	}
	if p.peek("(") == 0 {
		if p.peek("{") != 0 && strings.HasSuffix(name, "Duration") { // metav1.Duration{Duration: x}
			p.rest = strings.TrimPrefix(strings.TrimSpace(p.rest[1:]), "Duration:")
			c, ok := p.sum()
			return c, ok && p.eat('}')
		}
		return p.known(name)
	}
	p.rest = p.rest[1:]
	return p.call(name)
}

func (p *evaluator) call(name string) (constant, bool) {
	if name == "timedelta" || strings.HasSuffix(name, ".timedelta") {
		return p.timedelta()
	}
	c, ok := p.sum()
	if !ok || !p.eat(')') {
		return c, false
	}
	if unit, ok := timeUnits[name]; ok {
		if c.number == nil || c.time {
			return c, false
		}
		c.number = new(big.Rat).Mul(c.number, new(big.Rat).SetInt64(int64(unit)))
		c.time = true
		return c, true
	}
	if name == "Duration.parse" && c.isText {
		d, err := isoDuration(c.text)
		return constant{number: new(big.Rat).SetInt64(int64(d)), time: true}, err == nil
	}
	if from, to, ok := strings.Cut(strings.TrimPrefix(name, "TimeUnit."), ".to"); ok && c.number != nil { // TimeUnit.SECONDS.toMillis(30)
		a, b := timeUnits[from], timeUnits["Duration.of"+to]
		if a == 0 || b == 0 {
			return c, false
		}
		c.number = new(big.Rat).Mul(c.number, big.NewRat(int64(a), int64(b)))
		return c, true
	}
	return c, wrappers.MatchString(name)
}

// timedelta reads Python's timedelta(seconds=30).
func (p *evaluator) timedelta() (constant, bool) {
	sum := constant{number: new(big.Rat), time: true}
	for !p.eat(')') {
		p.peek("")
		name := namePattern.FindString(p.rest)
		p.rest = p.rest[len(name):]
		unit, known := timeUnits[name]
		if !known || !p.eat('=') {
			return sum, false
		}
		c, ok := p.sum()
		if !ok || c.number == nil || c.time {
			return sum, false
		}
		sum.number = new(big.Rat).Add(sum.number, new(big.Rat).Mul(c.number, new(big.Rat).SetInt64(int64(unit))))
		p.eat(',')
	}
	return sum, true
}

// known is a name to which the file gives one value.
func (p *evaluator) known(name string) (constant, bool) {
	if strings.Contains(name, ".") || p.depth > 8 {
		return constant{}, false
	}
	var found constant
	count, alike := 0, true
	take := func(value string) {
		c, ok := p.evaluate(value, p.depth+1)
		alike = alike && ok && (count == 0 || c.equal(found))
		found = c
		count++
	}
	for _, at := range p.defined[name] {
		if value := p.expression(at); value != name {
			take(value)
		}
		if !alike {
			return constant{}, false
		}
	}
	for _, a := range p.several {
		for _, t := range a.targets {
			if t.name != name {
				continue
			}
			if !t.known {
				return constant{}, false
			}
			if take(t.value); !alike {
				return constant{}, false
			}
		}
	}
	return found, count > 0
}

// equal reports whether two constants are the same value.
func (c constant) equal(d constant) bool {
	if c.number != nil && d.number != nil {
		return c.time == d.time && c.number.Cmp(d.number) == 0
	}
	return c.number == d.number && c.isText == d.isText && c.text == d.text && c.word == d.word && c.nothing == d.nothing
}

// duration is the constant as a time; a bare number is one of unit.
func (c constant) duration(unit time.Duration) (time.Duration, bool) {
	if c.number == nil {
		return 0, false
	}
	n := c.number
	if !c.time {
		n = new(big.Rat).Mul(n, new(big.Rat).SetInt64(int64(unit)))
	}
	if !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	return time.Duration(n.Num().Int64()), true
}

// spell is the constant in the unit of its key. unit is what the name carries;
// a bare number of a text key is nanoseconds to Go and nothing to others.
func (c constant) spell(key Key, language string, unit time.Duration) (string, bool) {
	switch {
	case c.nothing:
		return "None", true
	case c.word != "":
		return c.word, true
	case c.isText:
		return c.text, true
	case c.number == nil:
		return "", false
	case !key.Unit.IsTime():
		if c.time {
			return "", false
		}
		if c.number.IsInt() {
			return c.number.Num().String(), true
		}
		return strings.TrimRight(c.number.FloatString(9), "0"), true
	}
	if unit == 0 && !c.time {
		switch {
		case key.Unit == Millis:
			unit = time.Millisecond
		case key.Unit == Seconds, key.Unit == Decimal:
			unit = time.Second
		case language == "go":
			unit = 1
		default:
			return "", false
		}
	}
	d, ok := c.duration(unit)
	if !ok || d%key.Unit.quantum() != 0 && key.Unit != Decimal { // Python cuts off what is finer itself
		return "", false
	}
	return key.Unit.Format(d), true
}
