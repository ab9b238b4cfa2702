package library

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// Merged checks a rendered file as somebody would run it (L2): what stood in
// the file before counts too. It must say the values of fit, make the same
// lease of them, and violate nothing that the plan by itself does not. Lines
// are those of the file before.
func Merged(fit Fitted, in calc.Inputs, path, before, text string) error {
	values, err := Parse(fit.Library, path, []byte(text))
	if err != nil {
		if before == "" {
			return err
		}
		return fault.Usagef("%s cannot be merged; read back it says: %w", path, err).Hintf("%s", fault.HintOf(err))
	}
	old := func(v Value) string {
		v.Line = lineBefore(before, text, v.Line)
		return place(v)
	}
	for _, s := range fit.Settings {
		v, there := values[s.Key]
		if misspelled := misspelling(values[strangeKeys].Text, s.Key); !there && misspelled != "" {
			return fault.Usagef("%s: %s is no key, %s is", path, clean(misspelled), s.Key).Hintf("%s, or take it out of the file", s.Key)
		}
		if !sameText(fit.Library, s.Key, v.Text, s.Text) {
			return fault.Usagef("%swhat stands there makes %s %q, the plan says %q", old(v), s.Key, v.Text, s.Text).Hintf("take it out of the file")
		}
	}
	v, err := Judge(&Running{Library: fit.Library, Values: values, In: withFailures(in)})
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(v.Findings, func(found finding.Finding) bool {
		return found.Severity == finding.Info || slices.ContainsFunc(fit.Verdict.Findings, func(k finding.Finding) bool { return k.ID == found.ID && k.Severity >= found.Severity })
	})
	if len(fresh) > 0 {
		found := slices.MaxFunc(fresh, func(a, b finding.Finding) int { return strings.Compare(a.ID, b.ID) }) // the library's own say it best
		at := old(Value{File: found.File, Line: found.Line})
		return fault.Usagef("%s%s: %s", at, found.ID, found.Message).Hintf("%s; it stood in the file before, and breaks the plan", found.Fix)
	}
	got, planned := v.Run.Lease, fit.Verdict.Run.Lease
	if got.TTL != planned.TTL || got.Interval != planned.Interval || got.Call != planned.Call {
		extra := ""
		for _, key := range fit.Library.Sheet().AllKeys() {
			if v, there := values[key.Name]; there && !slices.ContainsFunc(fit.Settings, func(s Setting) bool { return s.Key == key.Name }) {
				extra += fmt.Sprintf("%s%s ", old(v), key.Name)
			}
		}
		return fault.Usagef("%swhat stood in the file before makes another lease: %s renewed every %s, planned %s every %s",
			extra, f(got.TTL), f(got.Interval), f(planned.TTL), f(planned.Interval)).Hintf("take it out of the file")
	}
	return nil
}

// lineBefore is where a line of the text stood before: the same one of the
// lines that are alike, else of those that set the same key. What is new keeps
// its number.
func lineBefore(before, text string, number int) int {
	now, old := strings.Split(text, "\n"), strings.Split(before, "\n")
	if number < 1 || number > len(now) {
		return number
	}
	nth := func(as func(string) string) int {
		same, seen := as(now[number-1]), 0
		for _, l := range now[:number] {
			if as(l) == same {
				seen++
			}
		}
		for i, l := range old {
			if as(l) == same {
				if seen--; seen == 0 {
					return i + 1
				}
			}
		}
		return 0
	}
	return cmp.Or(nth(func(l string) string { return l }), nth(func(l string) string {
		if at := strings.IndexAny(l, ":="); at > 0 {
			return strings.TrimSpace(l[:at])
		}
		return l
	}), number)
}

// sameText compares two spellings of a value.
func sameText(lib Library, name, a, b string) bool {
	key, _ := lib.Sheet().Key(name)
	if a == b {
		return true
	}
	if !key.Unit.IsTime() {
		return false
	}
	x, bad := key.Unit.Parse(a)
	y, worse := key.Unit.Parse(b)
	return bad == nil && worse == nil && x == y
}
