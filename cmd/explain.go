package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/formula"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
)

func newExplainCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "explain ID",
		Short:   "A rule, a formula or a term, with its reasoning",
		Example: "  lockplan explain LP101\n  lockplan explain F1\n  lockplan explain 'stop-work point'",
		Args:    oneArgument("ID", "lockplan explain LP101"),
		RunE:    func(_ *cobra.Command, args []string) error { return runExplain(a, args[0]) },
	}
}

func runExplain(a *app, name string) error {
	for _, r := range slices.Concat(rule.Catalogue, library.Catalogue) {
		if strings.EqualFold(r.ID, name) || strings.EqualFold(r.Name, name) {
			return a.writeRule(r)
		}
	}
	if e, known := formula.Find(name); known {
		return a.writeEntry(e)
	}
	if s, known := formula.Meaning(name); known {
		return a.writeEntry(formula.Entry{ID: s.Name, Title: s.Name, Why: meaning(s), See: formula.Uses(s.Name)})
	}
	return fault.Usagef("nothing is known of %q", name).Hintf("a rule such as LP101, a formula such as F1, a term such as hold")
}

// meaning is a symbol in words.
func meaning(s formula.Symbol) string {
	if s.Default == "" {
		return s.Meaning
	}
	return s.Meaning + "; default " + s.Default
}

// entryDocument is a formula or a term in JSON.
type entryDocument struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Formula string   `json:"formula"`
	Symbols []string `json:"symbols"`
	Why     string   `json:"why"`
	Example string   `json:"example"`
	See     []string `json:"see"`
}

// writeEntry explains a formula or a term.
func (a *app) writeEntry(e formula.Entry) error {
	if a.output != "table" {
		return a.writeDocument(entryDocument{e.ID, e.Title, e.Formula, slices.Concat([]string{}, e.Symbols), e.Why, e.Example, slices.Concat([]string{}, e.See)})
	}
	title := e.ID
	if e.Title != e.ID {
		title += ": " + e.Title
	}
	a.out.WriteString(title + "\n\n")
	if e.Formula != "" {
		for i, line := range strings.Split(e.Formula, "\n") {
			start := "formula  "
			if i > 0 {
				start = "         "
			}
			a.writeWrapped(start, line)
		}
		for _, name := range e.Symbols {
			if s, known := formula.Meaning(name); known {
				a.writeWrapped("         "+name+strings.Repeat(" ", max(1, 5-len([]rune(name)))), meaning(s))
			}
		}
	}
	a.writeWrapped("why      ", e.Why)
	if e.Example != "" {
		a.writeWrapped("example  ", e.Example)
	}
	if len(e.See) > 0 {
		a.writeWrapped("see      ", strings.Join(e.See, ", "))
	}
	return nil
}

// ruleDocument is a rule in JSON.
type ruleDocument struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Severity  string `json:"severity"`
	Condition string `json:"condition"`
	Why       string `json:"why"`
	Fix       string `json:"fix"`
}

func (a *app) writeRule(r rule.Rule) error {
	if a.output != "table" {
		return a.writeDocument(ruleDocument{r.ID, r.Name, r.Severity.String(), r.Condition, r.Why, r.Fix})
	}
	a.out.WriteString(r.ID + " " + r.Name + " (" + r.Severity.String() + ")\n\n")
	for _, part := range []clock{{"when", "", r.Condition}, {"why", "", r.Why}, {"fix", "", r.Fix}} {
		a.writeWrapped(part.name+strings.Repeat(" ", 6-len(part.name)), part.why)
	}
	if len(r.Example.Args) > 0 && len(r.Example.Files) == 0 {
		a.out.WriteString("\ntry   lockplan " + strings.Join(r.Example.Args, " ") + "\n")
	}
	return nil
}
