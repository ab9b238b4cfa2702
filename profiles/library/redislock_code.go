package library

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

var (
	lockObtain  = regexp.MustCompile(`\bObtain\(`)
	lockRefresh = regexp.MustCompile(`\.Refresh\(`)
)

// code reads no setting: it refuses a file in which Refresh gives the lease
// another length than Obtain, which then is none that can be told.
func (l redislock) code(s source, done map[int]bool) ([]entry, error) {
	if s.language != "go" {
		return nil, nil
	}
	ttl, _ := l.Sheet().Key("ttl")
	given := func(arg string) (string, bool) {
		c, ok := s.evaluate(arg, 0)
		text, spelled := c.spell(ttl, s.language, 0)
		return text, ok && spelled
	}
	var leases []string
	for _, at := range lockObtain.FindAllStringIndex(s.names, -1) {
		if args := s.arguments(at[1]); len(args) == 4 || len(args) == 5 {
			if text, ok := given(args[len(args)-2]); ok {
				leases = append(leases, text)
			}
		}
	}
	for _, at := range lockRefresh.FindAllStringIndex(s.names, -1) {
		args := s.arguments(at[1])
		if done[s.line(at[0])] || len(leases) == 0 || len(args) != 3 {
			continue
		}
		switch text, ok := given(args[1]); {
		case !ok:
			return nil, s.unread(ttl, at[0], args[1])
		case !slices.Contains(leases, text):
			return nil, fault.Usagef("%s:%d: Refresh gives a lease of %s, and the file takes the lock for %s", s.file, s.line(at[0]), text, strings.Join(leases, " or ")).
				Hintf("--set ttl=DURATION, once with each")
		}
	}
	return nil, nil
}

// coded: nothing is read by code alone.
func (redislock) coded(Key) bool { return false }
