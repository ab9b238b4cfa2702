package cmd

import (
	"errors"
	"slices"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// knownIgnores refuses suppressions of rules that do not exist: a slip there
// would set nothing aside, or the wrong rule.
func knownIgnores(file planfile.File) error {
	var faults []error
	for _, s := range file.Services {
		for _, ignore := range s.Ignore {
			if !slices.ContainsFunc(slices.Concat(rule.Catalogue, library.Catalogue), func(r rule.Rule) bool { return r.ID == ignore.Rule }) {
				faults = append(faults, fault.Usagef("%s:%d: there is no rule %q to set aside", file.Path, ignore.Line, ignore.Rule).
					Hintf("an id such as LP113, in capitals: lockplan explain LP113"))
			}
		}
	}
	return errors.Join(faults...)
}
