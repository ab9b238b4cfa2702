package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/workload"
)

// inputFlags are the flags that ttl, tradeoff, emit, simulate and check share:
// one for every input, kept as the text that was typed.
type inputFlags struct{ said input.Set }

// text is one input flag; pflag calls Set for each time it is given.
type text struct {
	flags *inputFlags
	key   input.Key
}

func (t text) String() string { return "" }

// Type is what help shows behind the flag.
func (t text) Type() string {
	switch t.key.Type {
	case input.Duration:
		return "DUR"
	case input.Files:
		return "FILE"
	case input.Choice:
		return strings.Join(t.key.Choices, "|")
	case input.YesNo:
		return "yes|no"
	case input.Ratio, input.Count, input.Quantile:
		return "N"
	case input.Rate:
		return "N/s"
	case input.Switch:
		return "bool"
	}
	return "TEXT"
}

// Set keeps the text; files are repeatable, of anything else the last counts.
func (t text) Set(said string) error {
	v := input.Value{Texts: []string{said}, Source: "--" + t.key.Name}
	if t.key.Type == input.Files {
		v.Texts = append(t.flags.said[t.key.Name].Texts, said)
	}
	t.flags.said[t.key.Name] = v
	return nil
}

// says reports whether an input was typed.
func (f *inputFlags) says(name string) bool {
	_, given := f.said[name]
	return given
}

// duration is a flag that is no input of a plan.
type duration struct{ bound *calc.Bound }

func (d duration) String() string { return "" }

// Type is what help shows behind the flag.
func (duration) Type() string { return "DUR" }

// Set reads a duration with its unit.
func (d duration) Set(text string) error {
	value, err := dur.Parse(text)
	*d.bound = calc.Claim(value, "")
	return err
}

// register adds the input flags to a command.
func (f *inputFlags) register(cmd *cobra.Command) { f.registerKeys(cmd, input.Keys) }

// registerKeys adds the flags of some inputs.
func (f *inputFlags) registerKeys(cmd *cobra.Command, keys []input.Key) {
	f.said = input.Set{}
	for _, key := range keys {
		help := key.Help
		if key.Default != "" {
			help += " (default " + key.Default + ")"
		}
		flag := cmd.Flags().VarPF(text{f, key}, key.Name, "", help)
		if key.Type == input.Switch {
			flag.NoOptDefVal = "true"
		}
		if values := completions(key); values != nil {
			cmd.RegisterFlagCompletionFunc(key.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	cmd.Flags().SortFlags = false
}

// completions are the values that a shell offers for an input.
func completions(key input.Key) []string {
	switch {
	case key.Type == input.Choice:
		return key.Choices
	case key.Type == input.YesNo:
		return []string{"yes", "no"}
	case key.Name == "library":
		return library.Names()
	case key.Name == "profile":
		var names []string
		for _, p := range workload.All() {
			names = append(names, p.Name)
		}
		return names
	}
	return nil
}

// environment is the layer of LOCKPLAN_* variables, read once.
func (a *app) environment() input.Set {
	if a.variables != nil {
		return a.variables
	}
	set := input.Set{}
	a.variables = set
	for _, key := range input.Keys {
		a.viper.BindEnv(key.Name)
		if said := a.viper.GetString(key.Name); said != "" {
			set[key.Name] = input.Value{Texts: []string{said}, Source: "LOCKPLAN_" + strings.ToUpper(strings.ReplaceAll(key.Name, "-", "_"))}
		}
	}
	return set
}

// resolve stacks layers, the first counting least, under the preset of the
// profile that they name, and reads everything they refer to.
func (a *app) resolve(layers ...input.Set) (input.Resolved, error) {
	set := input.Stack(layers...)
	named, given := set["profile"]
	if !given {
		return input.Resolve(set, a.outside())
	}
	profile, err := workload.Find(named.Text())
	if err != nil {
		return input.Resolved{}, named.Wrap("profile", err)
	}
	got, err := input.Resolve(input.Stack(append([]input.Set{profile.Set()}, layers...)...), a.outside())
	if err == nil {
		got.Findings = append(got.Findings, profile.Misfit(got.Inputs)...)
	}
	return got, err
}

// planOf is the plan of what was typed for one service, and what it was read
// from.
func (a *app) planOf(flags inputFlags) (input.Resolved, plan.Plan, error) {
	got, err := a.resolve(a.environment(), flags.said)
	if err != nil {
		return got, plan.Plan{}, err
	}
	p, err := makePlan("", got, rule.Setup{})
	return got, p, err
}

// makePlan plans resolved inputs with every rule of the model, as the library
// that they name runs it; the setup is what else is known to surround the lock.
func makePlan(service string, got input.Resolved, setup rule.Setup) (plan.Plan, error) {
	opts := optionsOf(got, setup)
	opts.Express = library.Planned(got.Inputs.Library)
	got.Inputs.Service = service
	return plan.Make(got.Inputs, opts)
}

// optionsOf are those of a plan before its library expresses it.
func optionsOf(got input.Resolved, setup rule.Setup) plan.Options {
	return plan.Options{Rules: rule.Catalogue, Inputs: got.Said, Findings: got.Findings, Setup: setup, HoldMean: cutMean(got), Risk: riskOf(got)}
}
