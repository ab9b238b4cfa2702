package cmd

import (
	"errors"
	"slices"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// unanswered are the findings that stand for a missing answer.
var unanswered = []string{rule.LP103.ID, rule.LP201.ID, rule.LP202.ID, rule.LP206.ID}

// knownIgnores refuses suppressions of rules that do not exist, as a slip there
// would set nothing aside or the wrong rule, and of rules that say that there
// is no answer.
func knownIgnores(file planfile.File) error {
	var faults []error
	for _, s := range file.Services {
		for _, ignore := range s.Ignore {
			if slices.Contains(unanswered, ignore.Rule) {
				faults = append(faults, fault.Usagef("%s:%d: %s says that there is no plan, which no reason can set aside", file.Path, ignore.Line, ignore.Rule).
					Hintf("lockplan explain %s", ignore.Rule))
				continue
			}
			if !slices.ContainsFunc(slices.Concat(rule.Catalogue, library.Catalogue), func(r rule.Rule) bool { return r.ID == ignore.Rule }) {
				faults = append(faults, fault.Usagef("%s:%d: there is no rule %q to set aside", file.Path, ignore.Line, ignore.Rule).
					Hintf("an id such as LP113, in capitals: lockplan explain LP113"))
			}
		}
	}
	return errors.Join(faults...)
}
