package library

import "regexp"

var setNXOnExtend = regexp.MustCompile(`\bWithSetNXOnExtend\(\s*\)`)

// code is the option that is switched on by a call without an argument.
func (r redsync) code(s source, done map[int]bool) ([]entry, error) {
	key, _ := r.Sheet().Key("WithSetNXOnExtend")
	var out []entry
	for _, at := range setNXOnExtend.FindAllStringIndex(s.names, -1) {
		if !done[s.line(at[0])] {
			out = append(out, s.constant(key, "true", at[0]))
		}
	}
	return out, nil
}

// coded: nothing is read by code alone.
func (redsync) coded(Key) bool { return false }
