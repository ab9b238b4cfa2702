package library

import (
	"regexp"
	"strings"
)

// springDefault is where pick leaves the first placeholder of Redisson's own
// file that its loader passes over.
const springDefault = "springPlaceholder"

// springForm is a default as Spring spells it: the loader of Redisson knows
// ${NAME:-default} alone.
var springForm = regexp.MustCompile(`\$\{([\w.]+):([^-{}][^{}]*)\}`)

// springDefaults is, of each of Redisson's own files, the first placeholder in
// Spring's spelling, a number's before a text's, as "key=NAME:default". A
// text nested in Spring's own file is resolved by Spring.
func springDefaults(entries []entry) []entry {
	var out []entry
	for _, file := range ownFiles(entries) {
		var found []entry
		number := false
		for _, e := range file {
			form := springForm.FindString(e.Text)
			if form == "" || inSpring(e.at) {
				continue
			}
			key := e.path[strings.LastIndexByte(e.path, '.')+1:]
			e = e.lift(strings.Count(e.path, "."), springDefault)
			e.Text = key + "=" + strings.Trim(form, "${}") // as a placeholder its default would be filled in
			if found == nil || !number && refused(key) {
				found, number = []entry{e}, refused(key)
			}
		}
		out = append(out, found...)
	}
	return out
}

// refused reports whether the loader refuses a text that it did not fill in:
// for a number it does.
func refused(key string) bool {
	k, known := redissonSheet.Key(key)
	return known && k.Unit != Word
}

// inSpring reports whether a place is in the text of Spring's redisson.config.
func inSpring(at []step) bool {
	for i, s := range at {
		if s.kind == inText && i > 1 && strings.EqualFold(at[i-1].name, "config") && strings.EqualFold(at[i-2].name, "redisson") {
			return true
		}
	}
	return false
}
