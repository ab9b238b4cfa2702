package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/profiles/workload"
)

func newProfileCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "profile", Short: "Workload profiles: what a kind of work presets, and why"}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "The built-in profiles",
			RunE: func(*cobra.Command, []string) error { return runProfileList(a) },
		},
		&cobra.Command{
			Use: "show NAME", Short: "One profile with its presets and their reasons",
			Args: oneArgument("NAME", "lockplan profile list"),
			RunE: func(_ *cobra.Command, args []string) error { return runProfileShow(a, args[0]) },
		},
	)
	return cmd
}

// oneArgument wants exactly one argument.
func oneArgument(what, list string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return fault.Usagef("exactly one %s is needed, not %d", what, len(args)).Hintf("%s", list)
	}
}

// profileDocument is a profile in JSON.
type profileDocument struct {
	Schema     string        `json:"schema"`
	Name       string        `json:"name"`
	About      string        `json:"about"`
	Why        string        `json:"why"`
	Percentile float64       `json:"fits_percentile"`
	From       plan.Seconds  `json:"fits_from_seconds"`
	To         plan.Seconds  `json:"fits_to_seconds"`
	Inputs     []presetEntry `json:"inputs"`
}

type presetEntry struct {
	Input string `json:"input"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

func documentOf(p workload.Profile) profileDocument {
	d := profileDocument{Schema: "lockplan/profile/v1", Name: p.Name, About: p.About, Why: p.Why,
		Percentile: p.Fits.Percentile, From: plan.Seconds(p.Fits.From), To: plan.Seconds(p.Fits.To)}
	for _, preset := range p.Inputs {
		d.Inputs = append(d.Inputs, presetEntry{preset.Key, preset.Value, preset.Why})
	}
	return d
}

func runProfileList(a *app) error {
	profiles := workload.All()
	rows := [][]string{{"profile", "fits a hold of", "about"}}
	documents := []profileDocument{}
	for _, p := range profiles {
		rows = append(rows, []string{p.Name, dur.Format(p.Fits.From) + " to " + dur.Format(p.Fits.To), p.About})
		documents = append(documents, documentOf(p))
	}
	return a.writeRows(documents, rows)
}

// writeRows prints a list as documents or as aligned rows, the first being
// the head.
func (a *app) writeRows(documents any, rows [][]string) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(documents)
	case "csv":
		return a.writeCSV(rows)
	case "markdown":
		a.markdownTable(rows[0], rows[1:])
	default:
		a.writeColumns(rows)
	}
	return nil
}

func runProfileShow(a *app, name string) error {
	p, err := workload.Find(name)
	if err != nil {
		return err
	}
	rows := [][]string{{"input", "value", "why"}}
	for _, preset := range p.Inputs {
		rows = append(rows, []string{preset.Key, preset.Value, preset.Why})
	}
	if a.output != "table" {
		return a.writeRows(documentOf(p), rows)
	}
	fmt.Fprintf(a.out, "%s: %s\n", p.Name, p.About)
	for _, line := range fold(p.Why, width) {
		fmt.Fprintln(a.out, line)
	}
	fmt.Fprintf(a.out, "fits a hold of %s to %s at %s\n\n", dur.Format(p.Fits.From), dur.Format(p.Fits.To), spell.Percentile(p.Fits.Percentile))
	var cells []clock
	for _, preset := range p.Inputs {
		cells = append(cells, clock{preset.Key, preset.Value, preset.Why})
	}
	a.writeReasons("input", cells)
	return nil
}
