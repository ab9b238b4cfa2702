package library

import "regexp"

var (
	sessionMade    = regexp.MustCompile(`\.Session\(\)\.Create(?:NoChecks)?\(`)
	sessionRenewed = regexp.MustCompile(`\.Renew(?:Periodic)?\(`)
)

// code reads sessions by hand: api.Lock renews its own session and no other, so
// in a file that renews none nobody does.
func (consul) code(s source, done map[int]bool) ([]entry, error) {
	if sessionRenewed.MatchString(s.names) {
		return nil, nil
	}
	renewer, _ := consulSheet.Key("renewer")
	var out []entry
	for _, at := range sessionMade.FindAllStringIndex(s.names, -1) {
		if !done[s.line(at[0])] {
			out = append(out, s.constant(renewer, "false", at[0]))
		}
	}
	return out, nil
}

// coded: options and functions of that name are others'.
func (consul) coded(key Key) bool { return key.Name == "renewer" }
