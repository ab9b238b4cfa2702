package cmd

import (
	"cmp"
	"slices"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/rule"
)

// values are the settings of a target as the baseline had them; none in that of
// a plan.
func (b baseline) values(name string) map[string]string {
	for _, t := range b.Targets {
		if t.Name == name {
			return t.Values
		}
	}
	return nil
}

// changedSince are the places of the settings that a baseline had otherwise, or
// not at all.
func (t *target) changedSince(old map[string]string) []rule.Place {
	if old == nil {
		return nil
	}
	var out []rule.Place
	for key, v := range t.Run.Values {
		if was, there := old[key]; v.File != "" && v.Line > 0 && (!there || was != v.Text) {
			out = append(out, rule.Place{File: v.File, Line: v.Line})
		}
	}
	slices.SortFunc(out, func(a, b rule.Place) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) })
	return out
}

// shownFor is where a figure is shown that got worse: at the setting that it
// comes from where that has changed, else at the first that has; where nothing is
// known to have changed, at the setting that it comes from.
func shownFor(from calc.Bound, changed []rule.Place, fallback rule.Place) rule.Place {
	own := rule.Place{File: from.File, Line: from.Line}
	switch {
	case own.File != "" && (len(changed) == 0 || slices.Contains(changed, own)):
		return own
	case len(changed) > 0:
		return changed[0]
	}
	return fallback
}
