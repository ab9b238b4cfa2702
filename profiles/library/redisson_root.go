package library

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// redissonRootOf is a mapping of an application's file that is Redisson's: it
// holds the watchdog, or a block of one of the modes.
type redissonRootOf struct {
	at, of          []step // where it stands, and where what tells it does
	watchdog, block int    // lines of them; 0 is none
}

// roots lets what such a mapping holds begin with the mapping, whatever stands
// above it; what is called redisson is known by its name. Its error is a
// watchdog in one mapping and a block in another, of one lock or of two.
func (redisson) roots(entries []entry) ([]entry, error) {
	found := redissonRoots(entries)
	for i, a := range found {
		for _, b := range found[:i] {
			if a.halves(b) {
				return nil, fault.Usagef("%slockWatchdogTimeout stands in one mapping and the block of line %d in another: one lock, or two?",
					place(Value{File: entries[0].File, Line: cmp.Or(a.watchdog, b.watchdog)}), cmp.Or(a.block, b.block)).
					Hintf("both in one mapping, or a file each")
			}
		}
	}
	out := slices.Clone(entries)
	for i, e := range out {
		var of *redissonRootOf
		for j, r := range found {
			if !e.variable && below(e.at, r.at) && (of == nil || len(r.at) > len(of.at)) {
				of = &found[j]
			}
		}
		if of == nil || strings.Contains(strings.ToLower(pathOf(of.at)), "redisson") || pathOf(of.at) == "" {
			continue
		}
		names := namesOf(e.at[len(of.at):])
		if len(names) == 0 {
			continue
		}
		if redissonModes[plain(names[0])] != "" {
			names[0] = plain(names[0]) // pick knows no dashes
		} else if of.block > 0 && !slices.ContainsFunc(besideBlock, func(k string) bool { return plain(k) == plain(names[0]) }) {
			continue // the application's own
		}
		out[i].path, out[i].rooted = strings.Join(names, "."), true
	}
	return out, nil
}

// emptyHome is where new keys go of a document in which none stands yet, but a
// mapping that is Redisson's: a block with an address alone.
func (l redisson) emptyHome(text string, below int) (home, error) {
	r := reader{name: inFile, relevant: matcherOf(l).relevant}
	if err := r.read(YAML, text, origin{below: below}, nil); err != nil {
		return home{}, err
	}
	found := redissonRoots(r.out)
	if len(found) > 1 {
		return home{}, fault.Usagef("%sa lock of its own beside that of line %d, and emit writes one", place(Value{File: inFile, Line: found[1].block}), found[0].block).Hintf("a file each")
	}
	if len(found) == 0 || pathOf(found[0].at) == "" {
		return home{}, nil
	}
	root := found[0]
	return home{at: root.at, of: root.of, like: root.of[len(root.of)-1].name, line: root.block}, nil
}

// besideBlock are the keys that a mapping with a mode's block has for itself:
// those of the root of Redisson's own file, and the arguments of a lock.
var besideBlock = append(slices.Clone(redissonRoot), "leaseTime", "waitTime", "lockType")

// redissonRoots are the mappings that are Redisson's, also at the root of a
// text.
func redissonRoots(entries []entry) (out []redissonRootOf) {
	for _, e := range entries {
		if e.variable {
			continue
		}
		for i := len(e.at) - 1; i >= 0 && e.at[i].kind != inText; i-- {
			name, last := plain(e.at[i].name), i == len(e.at)-1
			watchdog, block := name == "lockwatchdogtimeout" && last && !e.list, redissonModes[name] != "" && !last
			if e.at[i].kind != inKey || !watchdog && !block {
				continue
			}
			at := e.at[:i]
			n := slices.IndexFunc(out, func(r redissonRootOf) bool { return slices.EqualFunc(r.at, at, same) })
			if n < 0 {
				n = len(out)
				out = append(out, redissonRootOf{at: at, of: e.at[:i+1]})
			}
			if watchdog {
				out[n].watchdog = e.Line
			} else {
				out[n].block = cmp.Or(out[n].block, e.at[i].line, e.Line)
			}
			break
		}
	}
	return out
}

// halves reports whether of two mappings of a document one has the watchdog and
// the other a block, and nothing between them tells locks apart.
func (r redissonRootOf) halves(o redissonRootOf) bool {
	if r.watchdog == 0 {
		r, o = o, r
	}
	switch {
	case r.watchdog == 0 || r.block != 0 || o.block == 0 || o.watchdog != 0:
		return false
	case below(r.at, o.at) || below(o.at, r.at):
		return false
	}
	n := 0
	for n < len(r.at) && n < len(o.at) && same(r.at[n], o.at[n]) {
		n++
	}
	return n > 0 && !(walled(r.at[n:]) && walled(o.at[n:]))
}

// below reports whether a place is another or lies below it.
func below(at, root []step) bool {
	return len(at) >= len(root) && slices.EqualFunc(at[:len(root)], root, same)
}
