package library

import (
	"slices"
	"strings"
	"unicode"
)

// general reports whether a key's name in capitals may be anybody's, such as
// TIMEOUT: no word of it says that it is about a lock.
func general(key Key) bool {
	if key.Env != "" || strings.Contains(key.Name, ".") {
		return false
	}
	return !slices.ContainsFunc(words(key.Name), func(w string) bool {
		w = strings.ToLower(w)
		return w == "lock" || w == "lease" || w == "renew" || w == "watchdog" || w == "elect" || w == "session"
	})
}

// envName is the variable that the library's users set; where the library
// reads none, its key in capitals: LEASE_DURATION. Spring's are its keys
// without dashes.
func envName(key Key) string {
	if key.Env != "" {
		return key.Env
	}
	name := key.Name
	if strings.HasPrefix(name, "spring.") {
		return strings.ToUpper(strings.NewReplacer(".", "_", "-", "").Replace(name))
	}
	var out strings.Builder
	for i, r := range name {
		switch {
		case r == '.' || r == '-':
			out.WriteByte('_')
			continue
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(name[i-1])):
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToUpper(r))
	}
	return out.String()
}
