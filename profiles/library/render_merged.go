package library

import (
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
	for key, v := range values {
		v.Line = lineBefore(before, text, v.Line)
		values[key] = v
	}
	for _, s := range fit.Settings {
		if v := values[s.Key]; !sameText(fit.Library, s.Key, v.Text, s.Text) {
			return fault.Usagef("%swhat stands there makes %s %q, the plan says %q", place(v), s.Key, v.Text, s.Text).Hintf("take it out of the file")
		}
	}
	v, err := Judge(&Running{Name: in.Service, Library: fit.Library, Values: values, In: withFailures(in)})
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(v.Findings, func(found finding.Finding) bool {
		return found.Severity == finding.Info || slices.ContainsFunc(fit.Verdict.Findings, func(k finding.Finding) bool { return k.ID == found.ID && k.Severity >= found.Severity })
	})
	if len(fresh) > 0 {
		found := slices.MaxFunc(fresh, func(a, b finding.Finding) int { return strings.Compare(a.ID, b.ID) }) // the library's own say it best
		at := place(Value{File: found.File, Line: found.Line})
		return fault.Usagef("%s%s: %s", at, found.ID, found.Message).Hintf("%s; it stood in the file before, and breaks the plan", found.Fix)
	}
	got, planned := v.Run.Lease, fit.Verdict.Run.Lease
	if got.TTL != planned.TTL || got.Interval != planned.Interval || got.Call != planned.Call {
		extra := ""
		for _, key := range fit.Library.Sheet().AllKeys() {
			if old, there := values[key.Name]; there && !slices.ContainsFunc(fit.Settings, func(s Setting) bool { return s.Key == key.Name }) {
				extra += fmt.Sprintf("%s%s ", place(old), key.Name)
			}
		}
		return fault.Usagef("%swhat stood in the file before makes another lease: %s renewed every %s, planned %s every %s",
			extra, f(got.TTL), f(got.Interval), f(planned.TTL), f(planned.Interval)).Hintf("take it out of the file")
	}
	return nil
}

// lineBefore is where a line of the text stood before: the same one of the
// lines that are alike. What is new keeps its number.
func lineBefore(before, text string, number int) int {
	lines := strings.Split(text, "\n")
	if number < 1 || number > len(lines) {
		return number
	}
	same, seen := lines[number-1], 0
	for _, l := range lines[:number] {
		if l == same {
			seen++
		}
	}
	grown := number
	for i, l := range strings.Split(before, "\n") {
		if l == same {
			if seen--; seen == 0 {
				return i + 1
			}
		} else if strings.TrimSpace(l) != "" && strings.HasPrefix(same, l) { // a key was added behind it
			grown = i + 1
		}
	}
	return grown
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
