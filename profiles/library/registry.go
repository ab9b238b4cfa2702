package library

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// makers is the registry: one line a library.
var makers = map[string]func(version) Library{
	"client-go":          func(v version) Library { return clientGo{version: v} },
	"consul":             func(v version) Library { return consul{version: v} },
	"curator":            func(v version) Library { return curator{version: v} },
	"etcd":               func(v version) Library { return etcd{version: v} },
	"generic":            func(v version) Library { return generic{} },
	"go-redis":           func(v version) Library { return goRedis{version: v} },
	"go-zookeeper":       func(v version) Library { return goZooKeeper{version: v} },
	"node-redlock":       func(v version) Library { return nodeRedlock{version: v} },
	"redis-py":           func(v version) Library { return redisPy{version: v} },
	"redislock":          func(v version) Library { return redislock{version: v} },
	"redisson":           func(v version) Library { return redisson{version: v} },
	"redsync":            func(v version) Library { return redsync{version: v} },
	"rueidislock":        func(v version) Library { return rueidislock{version: v} },
	"shedlock":           func(v version) Library { return shedlock{version: v} },
	"spring-integration": func(v version) Library { return springIntegration{version: v} },
	"zookeeper":          func(v version) Library { return zooKeeper{version: v} },
}

// aliases are other names of the same library.
var aliases = map[string]string{
	"controller-runtime": "client-go",
	"kubernetes":         "client-go",
	"bsm/redislock":      "redislock",
	"spring":             "spring-integration",
	"redlock":            "node-redlock",
}

// Names are the libraries, sorted.
func Names() []string { return slices.Sorted(maps.Keys(makers)) }

// Get is the library of a name such as "redisson" or "redisson@3.47"; without
// a version the newest that its facts were checked for. Of one that is older or
// newer than those Untried says so.
func Get(name string) (Library, error) {
	base, text, versioned := strings.Cut(strings.ToLower(name), "@")
	if other, ok := aliases[base]; ok {
		base = other
	}
	maker, ok := makers[base]
	if !ok {
		return nil, fault.Usagef("library %q is not known", name).Hintf("one of %s", strings.Join(Names(), ", "))
	}
	sheet := maker(newest).Sheet()
	if !versioned {
		return maker(newest), nil
	}
	v, ok := parseVersion(text)
	if !ok {
		return nil, fault.Usagef("library %q: %q is not a version", name, text).Hintf("%s@%s", base, latest(sheet.Versions))
	}
	v = numbered(base, v)
	if len(sheet.Versions) == 0 {
		return nil, fault.Usagef("library %q: %s has no versions", name, sheet.Name).Hintf("%s", sheet.Name)
	}
	return maker(v), nil
}

// Configured is a library under settings that its surroundings fix, such as a
// server's tick, so that it is planned with them.
func Configured(lib Library, given Values) Library {
	if c, ok := lib.(interface{ configured(Values) Library }); ok {
		return c.configured(given)
	}
	return lib
}

// latest is the newest version of a list.
func latest(versions []string) string {
	if len(versions) == 0 {
		return "1.0"
	}
	return versions[len(versions)-1]
}

// version is major.minor.patch; parts that were not given are open and count
// as the newest of their kind.
type version [3]int

const open = 1 << 30

var newest = version{open, open, open}

func parseVersion(text string) (version, bool) {
	v := newest
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) > 3 {
		return v, false
	}
	for i, part := range parts {
		part, _, _ = strings.Cut(part, "-")
		if part == "x" && i > 0 {
			break
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return v, false
		}
		v[i] = n
	}
	return v, true
}

// before reports whether v is older than major.minor.
func (v version) before(major, minor int) bool { return v.beforePatch(major, minor, 0) }

func (v version) beforePatch(parts ...int) bool { return slices.Compare(v[:], parts) < 0 }

// oldest is the first version that v may be where a major one was given.
func (v version) oldest() version {
	for i := range v {
		if v[i] == open && i > 0 && v[0] != open {
			v[i] = 0
		}
	}
	return v
}

// suffix is "@3.47", or "" for the newest.
func (v version) suffix() string {
	var parts []string
	for _, n := range v {
		if n == open {
			break
		}
		parts = append(parts, strconv.Itoa(n))
	}
	if len(parts) == 0 {
		return ""
	}
	return "@" + strings.Join(parts, ".")
}
