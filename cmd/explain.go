package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rule"
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
	for _, r := range rule.Catalogue {
		if strings.EqualFold(r.ID, name) || strings.EqualFold(r.Name, name) {
			return a.writeRule(r)
		}
	}
	return fault.Usagef("nothing is known of %q", name).Hintf("a rule such as LP101, a formula such as F1, a term such as hold")
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

// writeDocument prints one document as JSON or YAML.
func (a *app) writeDocument(document any) error {
	if a.output == "yaml" {
		return a.writeYAML(document)
	}
	return a.writeJSON(document)
}
