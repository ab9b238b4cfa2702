package library

import (
	"regexp"
	"slices"
)

var (
	setNX    = regexp.MustCompile(`([\w.()]*)\.(SetNX|SetArgs)\(`)
	modeNX   = regexp.MustCompile(`\bMode:\s*(?i:"NX")`)
	expire   = regexp.MustCompile(`\.P?Expire\(`)
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
	for _, at := range setNX.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		if done[s.line(at[0])] || len(args) != 4 {
			continue
		}
		lease, spot := args[3], at[0]
		if line := s.deletedBare(s.names[at[2]:at[3]], args[1]); line > 0 && (s.names[at[4]:at[5]] == "SetNX" || modeNX.MatchString(lease)) {
			e := s.constant(release, "del", spot)
			e.Line = line
			out = append(out, e)
		}
		if s.names[at[4]:at[5]] == "SetArgs" { // its TTL has a name
			continue
		}
		if c, ok := s.evaluate(lease, 0); ok && c.number != nil && c.number.Sign() == 0 {
			if later, line, found := s.expires(args[1]); found {
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

// expires is the time of the Expire for a key, else of the file's only one.
func (s source) expires(key string) (lease string, line int, found bool) {
	count := 0
	for _, at := range expire.FindAllStringIndex(s.names, -1) {
		args := s.arguments(at[1])
		if len(args) != 3 {
			continue
		}
		if args[1] == key {
			return args[2], s.line(at[0]), true
		}
		lease, line = args[2], s.line(at[0])
		count++
	}
	return lease, line, count == 1
}

// deletedBare is the line of a DEL of a lock, 0 without one.
func (s source) deletedBare(client, key string) int {
	compared := compares.MatchString(s.names)
	for _, at := range deletes.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		same := len(args) > 1 && slices.Contains(args[1:], key)
		if !compared && (same || s.names[at[2]:at[3]] == client) {
			return s.line(at[0])
		}
	}
	return 0
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
