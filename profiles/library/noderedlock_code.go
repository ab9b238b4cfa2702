package library

import (
	"regexp"
	"strings"
	"time"
)

var (
	jsSet   = regexp.MustCompile(`([\w.()?!]*)\.((?i:set|setnx))\(`)
	jsHands = handCalls{
		expires:  regexp.MustCompile(`([\w.()?!]*)\.((?i:p?expire))\(`),
		deletes:  regexp.MustCompile(`([\w.()?!]*)\.(?i:del|unlink|getdel)\(`),
		compares: regexp.MustCompile(`\.(?i:eval|evalsha|eval_?ro|evalsha_?ro|fcall|watch|delex|defineCommand)\(|\b(?:defineScript|SCRIPT)\b`),
	}
	jsRedlock = regexp.MustCompile(`\bnew\s+Redlock\(`)
	jsField   = regexp.MustCompile(`^["']?(\w+)["']?\s*:\s*((?s).*)$`)
	jsTyped   = regexp.MustCompile(`^\{\s*type\s*:\s*["'](\w+)["']\s*,\s*value\s*:\s*((?s).*?)\s*,?\s*\}$`)
)

// code reads locks by hand on ioredis or node-redis: set with NX and PX among
// the words behind the value, or in an object of options; or setnx and an
// expire behind it. Beside a Redlock, what is not deleted is no lock.
func (n nodeRedlock) code(s source, done map[int]bool) ([]entry, error) {
	if s.language != "js" {
		return nil, nil
	}
	out, err := n.renewer(s, done)
	if err != nil {
		return nil, err
	}
	calls := jsHands.of(s)
	beside := jsRedlock.MatchString(s.names)
	duration, _ := n.Sheet().Key("duration")
	for _, at := range jsSet.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.commas(at[1], at[1]+len(s.until(at[1], func(int) bool { return false })))
		if done[s.line(at[0])] || len(args) < 2 {
			continue
		}
		nx, lease := s.setOptions(args[2:])
		if strings.EqualFold(s.names[at[4]:at[5]], "set") && !nx {
			continue
		}
		key := strings.TrimSpace(s.code[args[0][0]:args[0][1]])
		line, sure := calls.deletedBare(s.names[at[2]:at[3]], key)
		if beside && !sure {
			continue
		}
		found, err := calls.entries(n, duration, lease, key, at[1], line)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// coded: functions and options of these names are others'.
func (nodeRedlock) coded(key Key) bool {
	return key.Name == "acquire" || key.Name == "release" || key.Name == "using"
}

// lacks is the release of a lock by hand, where the file does not show it.
func (nodeRedlock) lacks(s source, values Values) map[string]string {
	if !takenByHand(values) {
		return nil
	}
	return jsHands.lacks(s, values)
}

// setOptions are those of a SET: whether it has an NX, and its lease.
func (s source) setOptions(args [][2]int) (nx bool, lease handLease) {
	option := func(word, value string) {
		switch strings.ToUpper(word) {
		case "NX":
			nx = true
		case "PX":
			lease = handLease{value, time.Millisecond}
		case "EX":
			lease = handLease{value, time.Second}
		case "PXAT", "EXAT":
			lease.text = value + " (" + word + ")" // a moment is no constant
		}
	}
	for i, span := range args {
		text := strings.TrimSpace(s.code[span[0]:span[1]])
		next := ""
		if i+1 < len(args) {
			next = strings.TrimSpace(s.code[args[i+1][0]:args[i+1][1]])
		}
		if c, ok := s.evaluate(text, 0); ok && c.isText {
			option(c.text, next)
			continue
		}
		from := span[0] + strings.IndexByte(s.code[span[0]:], text[0])
		if aName.MatchString(text) {
			if at := s.defined[text]; len(at) == 1 {
				from = at[0] + len(s.code[at[0]:]) - len(strings.TrimLeft(s.code[at[0]:], " \t\n"))
			}
		}
		if s.code[from] != '{' {
			continue
		}
		inside := s.until(from+1, func(int) bool { return false })
		for _, field := range s.commas(from+1, from+1+len(inside)) {
			m := jsField.FindStringSubmatch(strings.TrimSpace(s.code[field[0]:field[1]]))
			if m == nil {
				continue
			}
			value, _ := s.evaluate(m[2], 0)
			typed := jsTyped.FindStringSubmatch(m[2])
			switch {
			case m[1] == "condition":
				option(value.text, "")
			case m[1] == "expiration" && typed != nil:
				option(typed[1], typed[2])
			case m[1] != "NX" || value.word == "true":
				option(m[1], m[2])
			}
		}
	}
	return nx, lease
}
