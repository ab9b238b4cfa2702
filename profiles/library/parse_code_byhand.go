package library

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// handCalls is how the clients of a language spell the commands of Redis that
// go with a lock by hand. The first group is the client, the second of expires
// the command.
type handCalls struct {
	expires, deletes, compares *regexp.Regexp
	context                    int // arguments in front of the key
}

// hands are the calls of a file that go with locks by hand.
type hands struct {
	source
	expires, deletes []hand
	compared         bool // whether a script or a transaction may compare the owner
}

type hand struct {
	client, name string
	args         []string // from the key on
	keys         []redisKey
	line         int
}

func (c handCalls) of(s source) hands {
	all := func(pattern *regexp.Regexp) (out []hand) {
		for _, at := range pattern.FindAllStringSubmatchIndex(s.names, -1) {
			args := s.arguments(at[1])
			if len(args) <= c.context {
				continue
			}
			h := hand{client: s.names[at[2]:at[3]], args: args[c.context:], line: s.line(at[0])}
			for _, arg := range h.args {
				h.keys = append(h.keys, s.redisKey(arg))
			}
			if len(at) > 4 {
				h.name = strings.ToLower(s.names[at[4]:at[5]])
			}
			out = append(out, h)
		}
		return out
	}
	return hands{s, all(c.expires), all(c.deletes), c.compares.MatchString(s.names)}
}

// lease is the EXPIRE of a key, else the file's only one that may be.
func (h hands) lease(text string) (hand, bool) {
	var may []hand
	key := h.redisKey(text)
	for _, e := range h.expires {
		switch same, told := e.keys[0].is(key); {
		case same:
			return e, len(e.args) == 2
		case !told:
			may = append(may, e)
		}
	}
	if len(may) != 1 {
		return hand{}, false
	}
	return may[0], len(may[0].args) == 2
}

// deletedBare is the line of a DEL of a lock, 0 without one: of its key, else
// one by the lock's client of a key that may be it.
func (h hands) deletedBare(client, text string) (line int, sure bool) {
	if h.compared {
		return 0, false
	}
	key := h.redisKey(text)
	for _, d := range h.deletes {
		for _, arg := range d.keys {
			switch same, told := arg.is(key); {
			case same:
				return d.line, true
			case !told && line == 0 && d.client == client:
				line = d.line
			}
		}
	}
	return line, false
}

// handLease is the lease of a SET as it stands there.
type handLease struct {
	text string        // "" is none
	unit time.Duration // of a number
}

// entries are what a lock by hand says that stands at an offset: its lease, the
// EXPIRE that gives it one, and the line of a bare DEL; 0 is none.
func (h hands) entries(lib Library, ttl Key, lease handLease, key string, spot, deleted int) ([]entry, error) {
	acquire, _ := lib.Sheet().Key("acquire")
	release, _ := lib.Sheet().Key("release")
	taken := h.constant(acquire, "set-nx-px", spot)
	if c, _ := h.evaluate(lease.text, 0); lease.text == "" || c.nothing {
		lease = handLease{text: "None"}
		if ttl.Unit == Millis {
			lease.text = "0"
		}
		if later, found := h.lease(key); found {
			lease = handLease{later.args[1], time.Second}
			if later.name == "pexpire" {
				lease.unit = time.Millisecond
			}
			taken = h.constant(acquire, "setnx-expire", spot)
			taken.Line = later.line
		}
	}
	c, ok := h.evaluate(lease.text, 0)
	text, spelled := c.spell(ttl, h.language, lease.unit)
	if !ok || !spelled {
		return nil, h.unread(ttl, spot, lease.text)
	}
	if err := h.renewed(ttl, text, key, h.line(spot)); err != nil {
		return nil, err
	}
	out := []entry{h.constant(ttl, text, spot), taken}
	if deleted > 0 {
		bare := h.constant(release, "del", spot)
		bare.Line = deleted
		out = append(out, bare)
	}
	return out, nil
}

// function begins one at the margin.
var function = regexp.MustCompile(`(?m)^(?:func|def|async|class|function|export)\b`)

// apart reports whether a function begins between two lines.
func (s source) apart(a, b int) bool {
	if a > b {
		a, b = b, a
	}
	end := len(s.names)
	if b < len(s.starts) {
		end = s.starts[b]
	}
	return a < b && function.MatchString(s.names[s.starts[a]:end])
}

// renewed refuses an EXPIRE of a lock's key that gives it another lease than it
// was taken for: which one it has when its holder dies cannot be told.
func (h hands) renewed(ttl Key, taken, key string, line int) error {
	own := h.redisKey(key)
	c, ok := h.evaluate(key, 0)
	literal := ok && c.isText
	for _, e := range h.expires {
		if same, _ := e.keys[0].is(own); !same || len(e.args) != 2 || !literal && h.apart(line, e.line) {
			continue // a name of another function is another key
		}
		unit := time.Duration(0)
		switch {
		case h.language == "go":
		case e.name == "pexpire":
			unit = time.Millisecond
		default:
			unit = time.Second
		}
		c, ok := h.evaluate(e.args[1], 0)
		text, spelled := c.spell(ttl, h.language, unit)
		switch {
		case !ok || !spelled:
			return fault.Usagef("%s:%d: %s is renewed for %q, which is no constant of this file", h.file, e.line, ttl.Name, e.args[1]).
				Hintf("leave the file out and give the keys as --set")
		case text != taken:
			return fault.Usagef("%s:%d: the lock is renewed for %s %s, and taken for %s", h.file, e.line, ttl.Name, text, taken).
				Hintf("--set %s=VALUE, once with each", ttl.Name)
		}
	}
	return nil
}

// takenByHand reports whether a lock is taken by hand rather than by the library's
// own.
func takenByHand(values Values) bool {
	how := values["acquire"].Text
	return how == "set-nx-px" || how == "setnx-expire"
}

// lacks is the release of a lock by hand, where the file does not show it.
func (c handCalls) lacks(s source, values Values) map[string]string {
	compared, deleted := c.compares.MatchString(s.names), c.deletes.MatchString(s.names)
	if _, read := values["release"]; read || compared && !deleted {
		return nil
	}
	why := "the file shows none"
	if compared {
		why = "the file has a DEL, and a script or a WATCH"
	}
	return map[string]string{"release": LP525.ID + " " + LP525.Name + ": needs release (" + why + "; --set release=script or del)"}
}

// redisKey is an expression of a key, and how its text begins.
type redisKey struct {
	expression, head string
	whole            bool // the head is all of it
}

func (s source) redisKey(expression string) redisKey {
	head, whole := s.begins(expression, 0)
	return redisKey{expression, head, whole}
}

// is reports whether two expressions are the same key, as far as the file
// tells.
func (k redisKey) is(other redisKey) (same, told bool) {
	n := min(len(k.head), len(other.head))
	switch {
	case k.expression == other.expression:
		return true, true
	case k.head[:n] != other.head[:n], k.whole && len(k.head) < len(other.head), other.whole && len(other.head) < len(k.head):
		return false, true
	}
	return k.whole && other.whole, k.whole && other.whole
}

var (
	formatted = regexp.MustCompile(`^(?:fmt\.Sprintf\(\s*)?[fFrRuU]{0,2}(["'` + "`" + `])`)
	aName     = regexp.MustCompile(`^[A-Za-z_][\w.]*$`)
)

// begins is how the text of an expression begins, up to where something is
// filled in, and whether that is all of it.
func (s source) begins(text string, depth int) (head string, whole bool) {
	if c, ok := s.evaluate(text, 0); ok && c.isText {
		return c.text, true
	}
	if m := formatted.FindStringSubmatch(text); m != nil {
		rest := text[len(m[0]):]
		if end := strings.IndexAny(rest, m[1]+`{%$\`); end >= 0 {
			rest = rest[:end]
		}
		return rest, false
	}
	if aName.MatchString(text) && depth < 4 {
		if at := s.defined[text]; len(at) == 1 {
			return s.begins(s.expression(at[0]), depth+1)
		}
	}
	return "", false
}
