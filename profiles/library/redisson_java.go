package library

import (
	"regexp"
	"slices"
	"strings"
)

// chosenBy is a setting that a call of the library's chooses.
type chosenBy struct{ call, text string }

var redissonModeCalls = []chosenBy{
	{"useSingleServer", "single"}, {"useSentinelServers", "sentinel"}, {"useClusterServers", "cluster"},
	{"useReplicatedServers", "replicated"}, {"useMasterSlaveServers", "masterSlave"},
}

// redissonLockCalls make a lock, the one that is taken over last first.
var redissonLockCalls = []chosenBy{{"getFairLock", "fair"}, {"getReadWriteLock", "read"}, {"getSpinLock", "spin"}, {"getFencedLock", "fenced"}}

// code is the mode and the kind of lock that Java calls for. They hold for the
// whole file: of several kinds of lock the one with the worst answer, which
// for a read lock may be that nothing renews it. Different modes hold where
// they stand.
func (l redisson) code(s source, _ map[int]bool) ([]entry, error) {
	if s.language != "java" {
		return nil, nil
	}
	modes := s.chosen("mode", redissonModeCalls)
	if !slices.ContainsFunc(modes, func(e entry) bool { return e.Text != modes[0].Text }) {
		modes = everywhere(modes)
	}
	kinds := redissonLockCalls
	if l.before(3, 8) {
		kinds = append([]chosenBy{{"getReadWriteLock", "read"}}, kinds...)
	}
	return append(modes, everywhere(s.chosen("lockType", kinds))...), nil
}

// coded reports that no key is read by code alone.
func (redisson) coded(Key) bool { return false }

// chosen are the places that choose a key, those of the first choice first.
func (s source) chosen(key string, choices []chosenBy) []entry {
	var out []entry
	for _, c := range choices {
		for _, at := range regexp.MustCompile(`\b`+c.call+`\s*\(`).FindAllStringIndex(s.names, -1) {
			before := s.names[s.starts[s.line(at[0])-1]:at[0]]
			if declared.MatchString(before) && !strings.HasSuffix(strings.TrimSpace(before), "return") {
				continue
			}
			out = append(out, entry{path: key, offset: at[0], Value: Value{Text: c.text, File: s.file, Line: s.line(at[0])}})
		}
	}
	return out
}

// declared is what stands before the name of a method that is declared: its
// type, or fun.
var declared = regexp.MustCompile(`[\w>\]]\s+$`)

// everywhere is the first of some entries, at the root of its file.
func everywhere(entries []entry) []entry {
	if len(entries) == 0 {
		return nil
	}
	e := entries[0]
	e.offset = 0
	return []entry{e}
}
