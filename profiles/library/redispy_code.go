package library

import (
	"regexp"
	"slices"
	"strings"
)

var (
	lockCall  = regexp.MustCompile(`(\.lock|\bLock)\(`)
	redisLock = regexp.MustCompile(`\bredis(\.asyncio)?\.lock(\.Lock\b| import .*\bLock\b)`)
	keyword   = regexp.MustCompile(`^\w+\s*=[^=]`)
)

// lockArguments follow the lock's name, by the number of arguments up to it:
// client.lock has a lock_class that Lock has not.
var lockArguments = map[int][]string{
	1: {"timeout", "sleep", "blocking", "blocking_timeout", "lock_class", "thread_local"},
	2: {"timeout", "sleep", "blocking", "blocking_timeout", "thread_local"},
}

// code reads calls of client.lock(name, …) and Lock(client, name, …): the
// arguments that stand by their place, and that no timeout is none; and locks by
// hand.
func (p redisPy) code(s source, done map[int]bool) ([]entry, error) {
	if s.language != "py" {
		return nil, nil
	}
	var out []entry
	own := false
	for _, at := range lockCall.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		first := 1
		if s.names[at[2]:at[3]] == "Lock" {
			first = 2
		}
		head := s.code[s.starts[s.line(at[0])-1]:at[0]]
		if done[s.line(at[0])] || defines.MatchString(head) || len(args) < first || args[0] == "" || first == 2 && !redisLock.MatchString(s.code) {
			continue
		}
		timed := false
		own = true
		for i, arg := range args {
			switch {
			case strings.HasPrefix(arg, "*"), strings.HasPrefix(arg, "timeout") && keyword.MatchString(arg):
				timed = true
			case i < first || i-first >= len(lockArguments[first]) || keyword.MatchString(arg) || arg == "":
			default:
				key, known := p.Sheet().Key(lockArguments[first][i-first])
				if !known {
					continue
				}
				timed = timed || key.Name == "timeout"
				v, ok := s.evaluate(arg, 0)
				text, spelled := v.spell(key, s.language, 0)
				if !ok || !spelled {
					return nil, s.unread(key, at[1], arg)
				}
				out = append(out, s.constant(key, text, at[1]))
			}
		}
		if key, _ := p.Sheet().Key("timeout"); !timed {
			out = append(out, s.constant(key, "None", at[1]))
		}
	}
	hand, err := p.byHand(s, done, own)
	if err != nil {
		return nil, err
	}
	extends, err := p.extends(s, done)
	return slices.Concat(out, hand, extends, p.retryPolicies(s, done)), err
}

// coded: functions of these names are the application's.
func (redisPy) coded(key Key) bool { return key.Name == "acquire" || key.Name == "release" }

// lacks is the release of a lock by hand, or the pace of renewals, where the
// file does not show it.
func (p redisPy) lacks(s source, values Values) map[string]string {
	if !takenByHand(values) {
		return p.unpaced(s, values)
	}
	return pyHands.lacks(s, values)
}
