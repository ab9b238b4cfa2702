package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// asGo fails a duration that lockplan reads and Go does not: where the library
// itself parses the text there are no days and no weeks.
func asGo(run *Running, keys ...string) {
	for _, key := range keys {
		v, given := run.Values[key]
		if !given {
			continue
		}
		if _, err := time.ParseDuration(v.Text); err != nil {
			run.fail(v, key, fault.Usagef("%s refuses %q", run.Library.Name(), v.Text).Hintf("h, m, s and ms: 90s, 1h30m"))
		}
	}
}
