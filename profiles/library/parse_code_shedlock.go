package library

import (
	"regexp"
	"strings"
)

var (
	providers = regexp.MustCompile(`\b(?:new\s+)?[A-Z]\w*LockProvider(?:\.Builder)?\(`)
	builders  = regexp.MustCompile(`\b(?:Reactive)?RedisLockProvider\.Builder\(`)
)

// code finds providers without KeepAliveLockProvider beside one with it, and
// builders of Redis providers that do not switch safeUpdate on.
func (shedlock) code(s source, _ map[int]bool) ([]entry, error) {
	keep, _ := shedlockSheet.Key("keepAlive")
	safe, _ := shedlockSheet.Key("safeUpdate")
	var wrapped, bare []int
	for _, at := range providers.FindAllStringIndex(s.names, -1) {
		switch {
		case defines.MatchString(s.code[s.starts[s.line(at[0])-1]:at[0]]):
		case strings.Contains(s.names[at[0]:at[1]], "KeepAliveLockProvider"):
			wrapped = append(wrapped, at[0])
		default:
			bare = append(bare, at[0])
		}
	}
	var out []entry
	if len(wrapped) > 0 {
		out = append(out, s.constant(keep, "true", wrapped[0]))
	}
	if len(wrapped) > 0 && len(bare) > len(wrapped) { // one of them is in none
		out = append(out, s.constant(keep, "false", bare[len(bare)-1]))
	}
	for _, at := range builders.FindAllStringIndex(s.names, -1) {
		chain, _, _ := strings.Cut(s.names[at[0]:], "build()")
		if !strings.Contains(chain, "safeUpdate(") {
			out = append(out, s.constant(safe, "false", at[0]))
		}
	}
	return out, nil
}

func (shedlock) coded(Key) bool { return false }
