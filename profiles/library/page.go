package library

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/rule"
)

// Row is a named fact of a sheet.
type Row struct{ Name, Text string }

// Group is a part of a sheet: `library show` and docs/libraries print the same
// ones.
type Group struct {
	Title string
	Rows  []Row
}

// Groups are a library's facts in the order that they are shown.
func Groups(lib Library) []Group {
	s, t := lib.Sheet(), lib.Traits()
	timing := []Row{
		{"lease", leaseText(t)},
		{"renewal", s.Renewal},
		{"one call, worst", s.Call},
		{"holder is told", s.Signal},
		{"fencing token", s.Fence},
		{"takeover floor", f(Floor(lib)) + " after a crash, with the shortest lease at default settings"},
	}
	return []Group{
		{"Timing", timing},
		{"What gives the five conditions", []Row{
			{"mutual exclusion", string(s.MutualExclusion)}, {"no deadlock", string(s.NoDeadlock)}, {"only the owner releases", string(s.OwnerOnly)},
			{"atomic", string(s.Atomic)}, {"available", string(s.Available)},
		}},
		{"Beyond them", []Row{{"re-entrant", string(s.Reentrant)}, {"waiting", string(s.Waiting)}, {"fair", string(s.Fair)}}},
		{"What covers a fault", []Row{
			{"owner crashes", string(s.Crash)}, {"work outruns the lease", string(s.Outrun)}, {"network fails at release", string(s.JitterAtRelease)},
			{"lock service fails over", string(s.Failover)}, {"a request enters twice", string(s.EnteredTwice)},
		}},
	}
}

// Covers are the conditions and the faults of a configuration: what gives or
// covers each, by the library and by this configuration of it.
func Covers(run *Running) []Group {
	groups := Groups(run.Library)[1:]
	for _, g := range groups {
		for i, r := range g.Rows {
			if why, without := run.Without[r.Name]; without {
				g.Rows[i].Text = why
			}
		}
	}
	return groups
}

func leaseText(t calc.Traits) string {
	text := "steps of " + f(max(t.Quantum, 1))
	if t.MinTTL > 0 {
		text += ", at least " + f(t.MinTTL)
	}
	if t.MaxTTL > 0 {
		text += ", at most " + f(t.MaxTTL)
	}
	switch {
	case t.NoFixed:
		text += "; always renewed"
	case t.NoRenewed:
		text += "; planned without renewal"
	}
	if t.Ratio > 0 {
		text += "; renewed every 1/" + t.Ratio.String()
	}
	return text
}

// Floor is the shortest takeover after a crash that the library can be set
// to, at the defaults of everything but the lease.
func Floor(lib Library) time.Duration {
	t := lib.Traits()
	return lib.FreeMax(max(t.MinTTL, t.Quantum))
}

// RulesOf are the rules of the library itself, told by the key that their
// example sets.
func RulesOf(lib Library) []rule.Rule {
	var out []rule.Rule
	for _, r := range Catalogue {
		for i, arg := range r.Example.Args {
			if arg == "--library" && strings.HasPrefix(r.Example.Args[i+1], lib.Name()) && (r.Example.Args[i+1] == lib.Name() || strings.HasPrefix(r.Example.Args[i+1], lib.Name()+"@")) {
				out = append(out, r)
			}
		}
	}
	return out
}

// Page is docs/libraries/NAME.md.
func Page(lib Library) string {
	var out strings.Builder
	s := lib.Sheet()
	fmt.Fprintf(&out, "# %s\n\n%s. Language: %s. The lock is kept by: %s.", s.Name, s.Title, s.Language, s.Store)
	if len(s.Versions) > 0 {
		fmt.Fprintf(&out, " Versions: %s (as `%s@%s`).", strings.Join(s.Versions, ", "), s.Name, s.Versions[0])
	}
	fmt.Fprintf(&out, " emit writes: %s.\n\n## Keys\n\n| key | unit | default | legal | outside | rounded | |\n|---|---|---|---|---|---|---|\n", strings.Join(s.Formats, ", "))
	for _, k := range s.Settable() {
		doc := k.Doc
		if k.App && s.OwnFile != "" {
			doc += " (not in the library's own file)"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", k.Name, k.Unit.Label(), k.Default, k.Range, k.Outside, k.Round, doc)
	}
	out.WriteString("\n## Who loads what emit writes\n\n| format | |\n|---|---|\n")
	for _, form := range s.Formats {
		fmt.Fprintf(&out, "| %s | %s |\n", form, Loads(lib, form))
	}
	for _, g := range Groups(lib) {
		fmt.Fprintf(&out, "\n## %s\n\n| | |\n|---|---|\n", g.Title)
		for _, r := range g.Rows {
			fmt.Fprintf(&out, "| %s | %s |\n", r.Name, strings.ReplaceAll(r.Text, "|", `\|`))
		}
	}
	if rules := RulesOf(lib); len(rules) > 0 {
		out.WriteString("\n## Rules of its own\n\n")
		for _, r := range rules {
			fmt.Fprintf(&out, "- [%s](../rules/%s.md) %s: %s\n", r.ID, r.ID, r.Name, r.Condition)
		}
	}
	if len(s.Facts) > 0 {
		out.WriteString("\n## Measured\n\nClaims that the numbers rest on, and what the real library did. The tests run it.\n\n| claim | measured | test |\n|---|---|---|\n")
		for _, fact := range s.Facts {
			fmt.Fprintf(&out, "| %s | %s | %s |\n", fact.Says, fact.Measured, fact.Test)
		}
	}
	return out.String()
}

// Index is docs/libraries/README.md.
func Index() string {
	var out strings.Builder
	out.WriteString("# Libraries\n\nWhat lockplan knows about each lock library; `lockplan library show NAME` prints the same.\n\n" +
		"| library | kept by | renewal | takeover floor | holder is told | fencing token |\n|---|---|---|---|---|---|\n")
	for _, name := range Names() {
		lib := makers[name](newest)
		s := lib.Sheet()
		fmt.Fprintf(&out, "| [%s](%s.md) | %s | %s | %s | %s | %s |\n", name, name, s.Store, s.Renewal, f(Floor(lib)), s.Signal, s.Fence)
	}
	out.WriteString("\n## Rules of one library each\n\n")
	out.WriteString(strings.ReplaceAll(rule.Index(Catalogue), "](LP", "](../rules/LP"))
	return out.String()
}
