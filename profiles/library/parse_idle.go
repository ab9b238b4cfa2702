package library

import (
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// idler is a library whose lock a file may switch off.
type idler interface {
	// idles reports whether an entry says that no lock is taken.
	idles(e entry) bool
}

// idles: a component elects nobody.
func (clientGo) idles(e entry) bool {
	name := plain(e.path[strings.LastIndexByte(e.path, '.')+1:])
	return (name == "leaderelect" || name == "leaderelection") && strings.EqualFold(e.Text, "false")
}

// awake takes out the locks that are switched off, and says on the others
// which those are. A file of which all are is an error.
func awake(lib Library, groups []group, entries []entry) ([]group, error) {
	i, ok := lib.(idler)
	if !ok {
		return groups, nil
	}
	var out []group
	var off []string
	var last error
	for _, g := range groups {
		at := slices.IndexFunc(entries, func(e entry) bool { return i.idles(e) && len(e.at) > 1 && g.in(e.at[:len(e.at)-1]) })
		if at < 0 {
			out = append(out, g)
			continue
		}
		e := entries[at]
		last = fault.Usagef("%s%s is false: no lock is taken", place(e.Value), e.path).Hintf("true, where a lock is meant")
		off = append(off, last.Error())
	}
	if len(out) == 0 && last != nil {
		return nil, last
	}
	for i := range out {
		out[i].notes = append(out[i].notes, off...)
	}
	return out, nil
}
