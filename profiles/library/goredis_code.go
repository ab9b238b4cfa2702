package library

import "regexp"

var (
	setNX   = regexp.MustCompile(`([\w.()]*)\.(SetNX|SetArgs)\(`)
	modeNX  = regexp.MustCompile(`\bMode:\s*(?i:"NX")`)
	goHands = handCalls{
		expires:  regexp.MustCompile(`([\w.()]*)\.(P?Expire)\(`),
		deletes:  regexp.MustCompile(`([\w.()]*)\.(?:Del|Unlink|GetDel)\(`),
		compares: regexp.MustCompile(`\.(?:Eval|EvalSha|EvalRO|Run|Watch|DelExArgs)\(|\bredis\.NewScript\(`),
		context:  1,
	}
)

// code reads locks by hand: SetNX with its lease, or without one and an Expire
// behind it; a Del of its key, or by its client of one that may be it, where no
// script and no transaction could compare the owner.
func (goRedis) code(s source, done map[int]bool) ([]entry, error) {
	ttl, _ := goRedisSheet.Key("ttl")
	acquire, _ := goRedisSheet.Key("acquire")
	release, _ := goRedisSheet.Key("release")
	var out []entry
	calls := goHands.of(s)
	for _, at := range setNX.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		if done[s.line(at[0])] || len(args) != 4 {
			continue
		}
		lease, spot := args[3], at[0]
		if line, _ := calls.deletedBare(s.names[at[2]:at[3]], args[1]); line > 0 && (s.names[at[4]:at[5]] == "SetNX" || modeNX.MatchString(lease)) {
			e := s.constant(release, "del", spot)
			e.Line = line
			out = append(out, e)
		}
		if s.names[at[4]:at[5]] == "SetArgs" { // its TTL has a name
			continue
		}
		if c, ok := s.evaluate(lease, 0); ok && c.number != nil && c.number.Sign() == 0 {
			if later, found := calls.lease(args[1]); found {
				e := s.constant(acquire, "setnx-expire", spot)
				e.Line = later.line
				out, lease = append(out, e), later.args[1]
			}
		}
		c, ok := s.evaluate(lease, 0)
		text, spelled := c.spell(ttl, s.language, 0)
		if !ok || !spelled {
			return nil, s.unread(ttl, spot, lease)
		}
		if err := calls.renewed(ttl, text, args[1], s.line(spot)); err != nil {
			return nil, err
		}
		out = append(out, s.constant(ttl, text, spot))
	}
	return out, nil
}

// coded: functions of these names are the application's.
func (goRedis) coded(key Key) bool { return key.Name == "acquire" || key.Name == "release" }

// lacks is the release of a lock by hand, where the file does not show it.
func (goRedis) lacks(s source, values Values) map[string]string {
	if !setNX.MatchString(s.names) {
		return nil
	}
	return goHands.lacks(s, values)
}
