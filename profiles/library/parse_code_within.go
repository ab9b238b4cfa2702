package library

import (
	"regexp"
	"strings"
)

// within are the calls in which a name that others use, too, is the library's.
var within = map[string]map[string]*regexp.Regexp{
	"redis-py": {
		"timeout": pyLock, "sleep": regexp.MustCompile(pyLock.String() + `|\.acquire$`),
		"socket_timeout": pyClient, "retries": regexp.MustCompile(`(^|\.)(Async)?Retry$`),
	},
	"node-redlock": {"duration": jsLock},
}

var (
	pyLock   = regexp.MustCompile(`\.lock$|(^|\.)Lock$`)
	pyClient = regexp.MustCompile(`(^|\.)(Redis|StrictRedis|RedisCluster|Valkey|Sentinel|from_url|\w*ConnectionPool|\w*Connection|master_for|slave_for)$`)
	jsLock   = regexp.MustCompile(`\.(acquire|using)$|(^|\.)Redlock$`)

	callee   = regexp.MustCompile(`([\w.]+)\s*$`)
	grouping = regexp.MustCompile(`^(dict|if|elif|while|for|in|return|and|or|not|await|yield|assert|print)$`)
	body     = regexp.MustCompile(`(=>|\)|\b(else|try|do|finally))\s*$`)
	variable = regexp.MustCompile(`(\w+)\s*=\s*(?:dict)?\s*$`)
)

// anothers reports whether a name of a key stands in a call, or in a mapping
// or a variable beside calls of the library, that are not the library's: a
// timeout of requests.get, a duration of an animation.
func (s source) anothers(lib Library, key Key, at int) bool {
	calls := within[lib.Name()][key.Name]
	if calls == nil {
		return false
	}
	outer := ""
	for open := s.opening(at); open >= 0; open = s.opening(open) {
		head := s.names[max(0, open-farthest):open]
		outer = ""
		if s.names[open] == '{' && s.language == "js" && body.MatchString(head) {
			break
		}
		if m := variable.FindStringSubmatch(head); m != nil {
			outer = m[1]
		}
		if s.names[open] != '(' {
			continue
		}
		if m := callee.FindStringSubmatch(head); m != nil && !grouping.MatchString(m[1]) {
			return !calls.MatchString(m[1])
		}
	}
	given := s.givenTo(calls)
	return given != nil && !given[outer]
}

// aCall is a function's name and its bracket.
var aCall = regexp.MustCompile(`([\w.]+)\s*\(`)

// givenTo are the variables that a file's calls are given as a whole; nil where
// it has no such call with arguments.
func (s source) givenTo(calls *regexp.Regexp) map[string]bool {
	if given, known := s.given[calls]; known {
		return given
	}
	var given map[string]bool
	for _, at := range aCall.FindAllStringSubmatchIndex(s.names, -1) {
		if !calls.MatchString(s.names[at[2]:at[3]]) {
			continue
		}
		for _, arg := range s.arguments(at[1]) {
			if given == nil {
				given = map[string]bool{}
			}
			given[strings.TrimLeft(arg, "*.")] = true
		}
	}
	s.given[calls] = given
	return given
}
