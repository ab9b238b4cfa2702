package library

import (
	"fmt"
	"slices"
	"strings"
)

// strangers takes out parts that set nothing but one key of a common name
// which the file has at its root, too: "http.timeout" beside "timeout". A part
// with the key of a lease is a lock, unless its name says what else it is.
func strangers(own group, parts []group) (rest []group, notes []string) {
	if slices.ContainsFunc(own.root, func(s step) bool { return s.kind == inKey }) {
		return parts, nil
	}
	for i, p := range parts {
		stranger := i > 0 && len(p.hits) == 1
		for name, h := range p.hits {
			_, taken := own.hits[name]
			if stranger = stranger && taken && len(words(name)) == 1 && (!h.key.leases() || otherwise(h.path)); stranger {
				notes = append(notes, fmt.Sprintf("%s: %sis taken for another's: %s stands at the root of the file", h.path, place(h.Value), name))
			}
		}
		if !stranger {
			rest = append(rest, p)
		}
	}
	return rest, notes
}

// leases reports whether a key says how long a lock is kept.
func (k Key) leases() bool { return k.Round == "up" && k.Unit.IsTime() }

// elsewhere are words of mappings that have a timeout or a TTL of their own
// and are no lock.
var elsewhere = []string{"http", "https", "client", "server", "db", "database", "datasource", "jdbc", "sql", "mongo", "cache", "caches", "api", "rest", "grpc", "web",
	"request", "requests", "response", "connection", "connections", "socket", "pool", "kafka", "mail", "smtp", "dns", "proxy", "gateway", "token", "cookie", "ssh", "ftp", "probe", "health"}

// otherwise reports whether a key stands in such a mapping.
func otherwise(path string) bool {
	parts := strings.Split(path, ".")
	return len(parts) > 1 && slices.ContainsFunc(words(parts[len(parts)-2]), func(w string) bool { return slices.Contains(elsewhere, strings.ToLower(w)) })
}
