package library

import "github.com/lockplan/lockplan/calc/fault"

// since is the oldest version that a library's facts tell of, where that is
// older than the first of its sheet's versions, which were tried.
var since = map[string]string{
	"redisson": "3.2", // the research's rows on watchdogs that end at the first failure
	"shedlock": "4.0", // before 6.7 it has no safeUpdate (LP546)
}

// numbered is the version as a library numbers itself. Kubernetes 1.N comes with
// client-go 0.N, and both are said of it.
func numbered(library string, v version) version {
	if library == "client-go" && v[0] == 1 {
		v[0] = 0
	}
	return v
}

// tooOld refuses a version that nothing is known of: to plan it as another one
// would be a guess.
func tooOld(name string, v version, sheet *Sheet) error {
	if len(sheet.Versions) == 0 {
		return fault.Usagef("library %q: %s has no versions", name, sheet.Name).Hintf("%s", sheet.Name)
	}
	text, ok := since[sheet.Name]
	if !ok {
		text = sheet.Versions[0]
	}
	if oldest, _ := parseVersion(text); v.against(oldest) < 0 {
		return fault.Usagef("library %q is older than %s, the oldest version that anything is known of", name, text).Hintf("%s@%s, if it works alike", sheet.Name, text)
	}
	return nil
}

// Untried says that a library is newer than what its facts were tried with; ""
// is nothing to say.
func Untried(lib Library) string {
	v, ok := lib.(interface{ itself() version })
	versions := lib.Sheet().Versions
	if !ok || len(versions) == 0 {
		return ""
	}
	text := latest(versions)
	if newest, _ := parseVersion(text); v.itself().against(newest) <= 0 {
		return ""
	}
	return Title(lib) + " is newer than " + text + ", the newest version that was tried: it is taken to work as that one does"
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
