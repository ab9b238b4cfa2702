package library

import (
	"regexp"
	"slices"
)

var (
	setNX    = regexp.MustCompile(`([\w.()]*)\.(SetNX|SetArgs)\(`)
	modeNX   = regexp.MustCompile(`\bMode:\s*(?i:"NX")`)
	expire   = regexp.MustCompile(`([\w.()]*)\.P?Expire\(`)
	deletes  = regexp.MustCompile(`([\w.()]*)\.(?:Del|Unlink|GetDel)\(`)
	compares = regexp.MustCompile(`\.(?:Eval|EvalSha|EvalRO|Run|Watch|DelExArgs)\(|\bredis\.NewScript\(`)
)

// code reads locks by hand: SetNX with its lease, or without one and an Expire
// behind it; a Del by the same client, or of the same key, where no script and
// no transaction could compare the owner.
func (goRedis) code(s source, done map[int]bool) ([]entry, error) {
	ttl, _ := goRedisSheet.Key("ttl")
	acquire, _ := goRedisSheet.Key("acquire")
	release, _ := goRedisSheet.Key("release")
	var out []entry
	calls := handsOf(s)
	for _, at := range setNX.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		if done[s.line(at[0])] || len(args) != 4 {
			continue
		}
		lease, spot := args[3], at[0]
		if line := calls.deletedBare(s.names[at[2]:at[3]], args[1]); line > 0 && (s.names[at[4]:at[5]] == "SetNX" || modeNX.MatchString(lease)) {
			e := s.constant(release, "del", spot)
			e.Line = line
			out = append(out, e)
		}
		if s.names[at[4]:at[5]] == "SetArgs" { // its TTL has a name
			continue
		}
		if c, ok := s.evaluate(lease, 0); ok && c.number != nil && c.number.Sign() == 0 {
			if later, line, found := calls.lease(args[1]); found {
				e := s.constant(acquire, "setnx-expire", spot)
				e.Line = line
				out, lease = append(out, e), later
			}
		}
		c, ok := s.evaluate(lease, 0)
		text, spelled := c.spell(ttl, s.language, 0)
		if !ok || !spelled {
			return nil, s.unread(ttl, spot, lease)
		}
		out = append(out, s.constant(ttl, text, spot))
	}
	return out, nil
}

// coded: functions of these names are the application's.
func (goRedis) coded(key Key) bool { return key.Name == "acquire" || key.Name == "release" }

// hands are the calls of a file that go with locks by hand.
type hands struct {
	expires, deletes []hand
	compared         bool // whether a script or a transaction may compare the owner
}

type hand struct {
	client string
	args   []string // behind the context
	line   int
}

func handsOf(s source) hands {
	all := func(pattern *regexp.Regexp) (out []hand) {
		for _, at := range pattern.FindAllStringSubmatchIndex(s.names, -1) {
			if args := s.arguments(at[1]); len(args) > 1 {
				out = append(out, hand{s.names[at[2]:at[3]], args[1:], s.line(at[0])})
			}
		}
		return out
	}
	return hands{all(expire), all(deletes), compares.MatchString(s.names)}
}

// lease is the time of the Expire for a key, else of the file's only one.
func (h hands) lease(key string) (text string, line int, found bool) {
	i := slices.IndexFunc(h.expires, func(e hand) bool { return e.args[0] == key })
	if i < 0 && len(h.expires) != 1 {
		return "", 0, false
	}
	e := h.expires[max(i, 0)]
	return e.args[len(e.args)-1], e.line, len(e.args) == 2
}

// deletedBare is the line of a DEL of a lock, 0 without one.
func (h hands) deletedBare(client, key string) int {
	if h.compared {
		return 0
	}
	i := slices.IndexFunc(h.deletes, func(d hand) bool { return d.client == client || slices.Contains(d.args, key) })
	if i < 0 {
		return 0
	}
	return h.deletes[i].line
}

// lacks is the release of a lock by hand, where the file does not show it.
func (goRedis) lacks(s source, values Values) map[string]string {
	compared, deleted := compares.MatchString(s.names), deletes.MatchString(s.names)
	if _, read := values["release"]; read || compared && !deleted || !setNX.MatchString(s.names) {
		return nil
	}
	why := "the file shows none"
	if compared {
		why = "the file has a DEL, and a script or a WATCH"
	}
	return map[string]string{"release": LP525.ID + " " + LP525.Name + ": needs release (" + why + "; --set release=script or del)"}
}
