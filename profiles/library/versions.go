package library

// since is the oldest version that a library's facts tell of, where that is
// older than the first of its sheet's versions, which were tried.
var since = map[string]string{
	"client-go":          "0.30",   // libs-coordination, section 5
	"curator":            "5.7",    // libs-coordination, section 2
	"etcd":               "3.5",    // libs-coordination, section 4
	"go-redis":           "9.7",    // libs-redis, section 14: v9.7.0 to v9.22.0
	"redisson":           "3.2",    // the research's rows on watchdogs that end at the first failure
	"redsync":            "4.17",   // libs-redis, section 5
	"rueidislock":        "1.0.76", // libs-redis, section 7
	"shedlock":           "4.0",    // before 6.7 it has no safeUpdate (LP546)
	"spring-integration": "6.3",    // before 6.4 nothing renews (LP540)
}

// numbered is the version as a library numbers itself. Kubernetes 1.N comes with
// client-go 0.N, and both are said of it.
func numbered(library string, v version) version {
	if library == "client-go" && v[0] == 1 {
		v[0] = 0
	}
	return v
}

// Untried says that a library is older or newer than what its facts were tried
// with; "" is nothing to say.
func Untried(lib Library) string {
	v, ok := lib.(interface{ itself() version })
	versions := lib.Sheet().Versions
	if !ok || len(versions) == 0 {
		return ""
	}
	first, known := since[lib.Name()]
	if !known {
		first = versions[0]
	}
	last := latest(versions)
	oldest, _ := parseVersion(first)
	newest, _ := parseVersion(last)
	switch {
	case v.itself().against(oldest) < 0:
		return Title(lib) + " is older than " + first + ", the oldest version that is known: it is taken to work as that one does"
	case v.itself().against(newest) > 0:
		return Title(lib) + " is newer than " + last + ", the newest version that was tried: it is taken to work as that one does"
	}
	return ""
}

// itself is the version of a library that embeds it.
func (v version) itself() version { return v }

// against compares two versions as far as both are given.
func (v version) against(other version) int {
	for i := range v {
		switch {
		case v[i] == open || other[i] == open:
			return 0
		case v[i] != other[i]:
			return v[i] - other[i]
		}
	}
	return 0
}
