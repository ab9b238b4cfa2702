package library

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// group is what belongs to one lock.
type group struct {
	name  string         // what tells it from the others
	root  []step         // where the lock stands; nil while it is the only one
	hits  map[string]hit // by the key's name
	notes []string
}

func (g group) line() int {
	line := 0
	for _, h := range g.hits {
		if h.Line > 0 && (line == 0 || h.Line < line) {
			line = h.Line
		}
	}
	return line
}

// in reports whether a value of the group stands below a place.
func (g group) in(at []step) bool {
	for _, h := range g.hits {
		if len(h.at) >= len(at) && slices.EqualFunc(h.at[:len(at)], at, same) {
			return true
		}
	}
	return false
}

func same(a, b step) bool { return a.kind == b.kind && a.name == b.name && a.number == b.number }

// overlaid reports whether any of the keys is set in both.
func (g group) overlaid(other group) bool {
	for name := range g.hits {
		if _, both := other.hits[name]; both {
			return true
		}
	}
	return false
}

// inherit takes over what a group does not say itself.
func (g *group) inherit(from group) {
	for name, h := range from.hits {
		if _, own := g.hits[name]; !own {
			g.hits[name] = h
		}
	}
}

// tellApart sorts the settings of a file by the lock that they belong to. A
// document, an item of a list and a nested text each hold locks of their own;
// so do mappings side by side that set the same key. What stands above them is
// shared. The documents of Spring are one configuration and its profiles.
func tellApart(found []hit, entries []entry) ([]group, error) {
	var fallbacks []hit
	rest := found[:0:0]
	for _, h := range found {
		if h.fallback {
			fallbacks = append(fallbacks, h)
		} else {
			rest = append(rest, h)
		}
	}
	if len(rest) == 0 {
		rest, fallbacks = fallbacks, nil
	}
	groups, err := split(rest, profiles(entries))
	if err != nil {
		return nil, err
	}
	groups = unlike(groups)
	names(groups)
	if len(fallbacks) == 0 {
		return groups, nil
	}
	defaults, err := splitAt(fallbacks, 0)
	if err != nil {
		return nil, err
	}
	if len(defaults) > 1 {
		return nil, fault.Usagef("%s has defaults for all locks on lines %d and %d", place(found[0].Value), defaults[0].line(), defaults[1].line())
	}
	for i := range groups {
		groups[i].inherit(defaults[0])
	}
	if len(groups) > 1 || groups[0].name != "" {
		defaults[0].name = "defaults"
		groups = append(groups, defaults[0])
	}
	return groups, nil
}

// profiles are the documents that hold for a Spring profile only, by number.
func profiles(entries []entry) map[int]string {
	out := map[int]string{}
	for _, e := range entries {
		switch plain(e.path) {
		case "spring.config.activate.onprofile", "spring.config.activate.oncloudplatform", "spring.profiles":
			if len(e.at) > 0 && e.at[0].kind == inItem && !e.list {
				out[e.at[0].number] = e.Text
			}
		}
	}
	return out
}

// split is splitAt, where documents of a Spring profile are laid over what
// holds without one.
func split(found []hit, profile map[int]string) ([]group, error) {
	if len(profile) == 0 {
		return splitAt(found, 0)
	}
	var base []hit
	layers := map[int][]hit{}
	for _, h := range found {
		number := h.at[0].number
		if h.at = h.at[1:]; profile[number] != "" {
			layers[number] = append(layers[number], h)
		} else {
			base = append(base, h)
		}
	}
	out, err := splitAt(base, 0)
	if err != nil {
		return nil, err
	}
	for _, number := range slices.Sorted(maps.Keys(layers)) {
		layer := layers[number]
		under := slices.DeleteFunc(slices.Clone(base), func(b hit) bool {
			return slices.ContainsFunc(layer, func(l hit) bool { return replaces(l, b) })
		})
		groups, err := splitAt(append(under, layer...), 0)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			g.name = profile[number]
			out = append(out, g)
		}
	}
	return out, nil
}

// replaces reports whether a setting of a profile takes the place of another:
// the same key at the same place, or the nested text in which that one stands.
func replaces(l, b hit) bool {
	if text := slices.IndexFunc(b.at, func(s step) bool { return s.kind == inText }); text >= 0 {
		return len(l.at) > text && slices.EqualFunc(b.at[:text+1], l.at[:text+1], same)
	}
	return plain(pathOf(l.at)) == plain(pathOf(b.at))
}

// splitAt groups what stands below the first depth steps, which all share.
func splitAt(found []hit, depth int) ([]group, error) {
	own := group{hits: map[string]hit{}}
	if len(found) > 0 {
		own.root = found[0].at[:depth]
	}
	var order []step
	below := map[step][]hit{}
	for _, h := range found {
		if len(h.at)-h.depth <= depth {
			if err := own.take(h); err != nil {
				return nil, err
			}
			continue
		}
		s := h.at[depth]
		s.line = 0
		if below[s] == nil {
			order = append(order, s)
		}
		below[s] = append(below[s], h)
	}
	if err := repeated(order, below, depth); err != nil {
		return nil, err
	}
	var parts, apart []group // that may be one lock; that are locks of their own
	if len(own.hits) > 0 {
		parts = append(parts, own)
	}
	walled := map[step]bool{}
	for _, s := range order {
		if slices.ContainsFunc(below[s], func(h hit) bool { return walls(h, depth) }) {
			walled[s] = true
		}
	}
	for _, s := range order {
		groups, err := splitAt(below[s], depth+1)
		if err != nil {
			return nil, err
		}
		at := below[s][0].at[:depth+1]
		for _, g := range groups {
			if len(groups) > 1 || len(walled) > 1 && walled[s] {
				if g.root == nil {
					g.root = at
				}
				apart = append(apart, g)
			} else {
				g.root = at
				parts = append(parts, g)
			}
		}
	}
	return together(own, parts, apart)
}

// walls reports whether a document, an item or a nested text lies between a
// place and a setting.
func walls(h hit, depth int) bool { return walled(h.at[depth : len(h.at)-h.depth]) }

func walled(at []step) bool {
	return slices.ContainsFunc(at, func(s step) bool { return s.kind == inItem || s.kind == inText })
}

// repeated refuses a mapping that stands twice under the same name.
func repeated(order []step, below map[step][]hit, depth int) error {
	for i, s := range order {
		for _, other := range order[:i] {
			if s.kind == inKey && other.kind == inKey && s.name == other.name {
				first, second := below[other][0], below[s][0]
				return setTwice(first, second, s.name)
			}
		}
	}
	return nil
}

func setTwice(first, second hit, key string) error {
	return fault.Usagef("%s%s is set twice, on lines %d and %d", place(second.Value), key, first.Line, second.Line).Hintf("one of them; locks of their own in a file each")
}

// take adds a setting that stands in the group's own place.
func (g *group) take(h hit) error {
	if old, taken := g.hits[h.key.Name]; taken {
		return setTwice(old, h, h.key.Name)
	}
	g.hits[h.key.Name] = h
	return nil
}

// together makes one lock of parts that set no key twice, and what stands apart
// inherits it. Parts that do are locks of their own; own is what the place
// they share says.
func together(own group, parts, apart []group) ([]group, error) {
	parts, notes := strangers(own, parts)
	counts := map[string]int{}
	for _, p := range parts {
		for name := range p.hits {
			counts[name]++
		}
	}
	locks := slices.DeleteFunc(slices.Clone(parts), func(p group) bool {
		for name := range p.hits {
			if counts[name] > 1 {
				return false
			}
		}
		return true
	})
	if len(locks) > 0 {
		return several(own, parts, locks, apart)
	}
	base := group{hits: map[string]hit{}, root: own.root, notes: notes}
	for _, p := range parts {
		base.inherit(p)
		base.notes = append(base.notes, p.notes...)
	}
	switch {
	case len(apart) == 0 && len(parts) == 0:
		return nil, nil
	case len(apart) == 0:
		return []group{base}, nil
	case len(parts) == 0:
		return apart, nil
	case slices.ContainsFunc(apart, base.overlaid):
		return append([]group{base}, apart...), nil
	}
	for i := range apart {
		apart[i].inherit(base)
	}
	return apart, nil
}

// several are the locks among parts and what stands apart. A part that is
// none may belong to any of them.
func several(own group, parts, locks, apart []group) ([]group, error) {
	shared := true
	for _, l := range locks {
		shared = shared && len(l.root) > len(own.root)
	}
	for _, p := range parts {
		if len(p.root) > len(own.root) && !slices.ContainsFunc(locks, func(l group) bool { return l.line() == p.line() && slices.Equal(l.root, p.root) }) {
			for _, h := range p.hits {
				return nil, fault.Usagef("%s%s may belong to the lock of line %d or to that of line %d", place(h.Value), h.key.Name, locks[0].line(), locks[1].line()).
					Hintf("a file each")
			}
		}
	}
	out := append(slices.Clone(locks), apart...)
	if shared {
		for i := range out {
			out[i].inherit(own)
		}
	}
	return out, nil
}

// names tells the groups of a file apart.
func names(groups []group) {
	documents := map[int]bool{}
	for _, g := range groups {
		if len(g.root) > 0 && g.root[0].kind == inItem {
			documents[g.root[0].number] = true
		}
	}
	for i := range groups {
		g := &groups[i]
		if len(groups) == 1 || g.name != "" && len(g.root) == 0 {
			continue
		}
		root := g.root
		if len(documents) < 2 && len(root) > 0 && root[0].kind == inItem {
			root = root[1:]
		}
		var out strings.Builder
		out.WriteString(g.name)
		for i, s := range root {
			switch {
			case s.kind == inText, s.kind == inBlock && i+1 < len(root):
			case s.kind == inItem && i == 0 && len(g.root) == len(root):
				out.WriteString(cmp.Or(s.name, fmt.Sprintf("document %d", s.number+1)))
			case s.kind == inItem:
				fmt.Fprintf(&out, "[%s]", cmp.Or(s.name, strconv.Itoa(s.number+1)))
			default:
				if out.Len() > 0 {
					out.WriteByte('.')
				}
				out.WriteString(s.name)
			}
		}
		g.name = out.String()
	}
}

// unlike drops a group that says the same as an earlier one: an alias.
func unlike(groups []group) []group {
	var out []group
	for _, g := range groups {
		if !slices.ContainsFunc(out, func(o group) bool {
			return maps.EqualFunc(o.hits, g.hits, func(a, b hit) bool { return a.Value == b.Value })
		}) {
			out = append(out, g)
		}
	}
	return out
}
