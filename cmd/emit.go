package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// emitOptions say what to write, how and where.
type emitOptions struct {
	inputs   inputFlags
	file     string
	services []string
	format   string
	set      []string
	dir      string
	out      string
	diff     string
	check    bool
}

func newEmitCmd(a *app) *cobra.Command {
	var o emitOptions
	cmd := &cobra.Command{
		Use:   "emit",
		Short: "Validated configuration for a lock library",
		Long: "emit plans, writes the plan in the library's own keys and units, reads it back and\n" +
			"checks it again. What the library cannot keep (the stop-work point, the maximum hold)\n" +
			"is written for the application. Keys of an existing file that are not the library's\n" +
			"are kept. A plan that the library cannot express is refused with the nearest.",
		Example: "  lockplan emit --library redisson@4.2 --p999 800ms --pause 1.5s --rto 30s\n" +
			"  lockplan emit --library zookeeper --p999 1s --pause 1s --rto 60s --out zoo.cfg\n" +
			"  lockplan emit -f lockplan.yaml --dir build/locks\n" +
			"  lockplan emit -f lockplan.yaml --dir build/locks --check",
		RunE: func(*cobra.Command, []string) error { return runEmit(a, o) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.file, "file", "f", "", "every service of this plan file")
	flags.StringArrayVar(&o.services, "service", nil, "with -f: only this service (repeatable)")
	flags.StringVar(&o.format, "format", "", "yaml, json, properties, env, toml, flags, go, java, py or js (default: the library's own)")
	flags.StringArrayVar(&o.set, "set", nil, "KEY=VALUE that the surroundings fix, such as a server's tickTime (repeatable)")
	flags.StringVar(&o.dir, "dir", "", "write a file a service into this folder, all or none: a service's config: where it lies in there (default: the emit: {dir: …} of the plan file)")
	flags.StringVar(&o.out, "out", "", "write one service into this file, merged into what stands there; - for standard output")
	flags.StringVar(&o.diff, "diff", "", "show what would change in this file, as patch -p0 applies it, and write nothing")
	flags.BoolVar(&o.check, "check", false, "with --dir, --out or --diff: write nothing, exit 3 when something would change")
	o.inputs.register(cmd)
	return cmd
}

// emitted is a service's configuration.
type emitted struct {
	service string
	form    string
	path    string // "" is standard output
	stands  bool   // path is there
	diffed  bool   // path is never written
	before  string
	after   string
	plan    plan.Plan
	fit     library.Fitted
}

// onePlace refuses flags that each say where.
func (o emitOptions) onePlace() error {
	var said []string
	for _, f := range []struct{ name, value string }{{"--dir", o.dir}, {"--out", o.out}, {"--diff", o.diff}} {
		if f.value != "" {
			said = append(said, f.name)
		}
	}
	if len(said) > 1 {
		return fault.Usagef("%s each name a place", strings.Join(said, " and ")).Hintf("leave all but one of them out")
	}
	return nil
}

func runEmit(a *app, o emitOptions) error {
	if err := o.onePlace(); err != nil {
		return err
	}
	all, err := a.emitAll(o)
	if err != nil {
		return err
	}
	for _, e := range all {
		a.note(e)
	}
	files := slices.DeleteFunc(slices.Clone(all), func(e emitted) bool { return e.path == "" })
	if o.check && len(files) == 0 {
		return fault.Usagef("--check compares with files, and none is named").Hintf("--dir DIR, --out FILE or --diff FILE")
	}
	if err := apart(files); err != nil {
		return err
	}
	if o.check || o.diff != "" {
		return a.compare(files, o.check)
	}
	if err := writeAll(files); err != nil {
		return err
	}
	switch {
	case a.output == "json" || a.output == "yaml":
		return a.writeDocument(emitDocumentOf(all))
	case a.output != "table" && a.flags.output != "": // typed, not a setting for every command
		return fault.Usagef("emit is not printed as %s", a.output).Hintf("--format chooses the form of the configuration, -o json describes it")
	}
	for i, e := range slices.DeleteFunc(all, func(e emitted) bool { return e.path != "" }) {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprint(a.out, e.after)
	}
	return nil
}

// note tells what the plan itself did not say: a longer TTL, and what check
// will find in the configuration as it is emitted; and what is doubtful about
// the observations that it rests on.
func (a *app) note(e emitted) {
	say := func(text string) { fmt.Fprintf(a.err, "lockplan: note: %s%s\n", prefix(e.service), text) }
	for _, text := range library.Replaced(e.fit, e.path, e.before, e.after) {
		say(e.path + ": " + text)
	}
	if e.fit.Raised != nil {
		say(fmt.Sprintf("the TTL is %s instead of %s: the shortest with which %s keeps the plan (%s)",
			dur.Format(*e.fit.Verdict.Consequences.TTL), dur.Format(*e.fit.Raised), e.fit.Library.Name(), e.fit.Why))
	}
	for _, f := range e.fit.Verdict.Findings {
		planned := slices.ContainsFunc(e.plan.Findings, func(p finding.Finding) bool { return p.ID == f.ID })
		if f.Severity == finding.Warning && !planned {
			say(f.ID + ": " + f.Message + "; " + f.Fix)
		}
	}
	for _, f := range e.evidence() {
		if f.Severity == finding.Warning {
			say(f.ID + ": " + f.Message + "; " + f.Fix)
		}
	}
}

// evidence is what the plan finds in the observations (2xx), which no
// configuration shows.
func (e emitted) evidence() (out []finding.Finding) {
	for _, f := range e.plan.Findings {
		if strings.HasPrefix(f.ID, "LP2") {
			out = append(out, f)
		}
	}
	return out
}

func prefix(service string) string {
	if service == "" {
		return ""
	}
	return shown(service) + ": "
}

// emitAll fits and renders every service before anything is written.
func (a *app) emitAll(o emitOptions) ([]emitted, error) {
	if o.file == "" {
		if len(o.services) > 0 {
			return nil, fault.Usagef("--service chooses from a plan file, and none is named").Hintf("-f lockplan.yaml")
		}
		got, err := a.resolve(a.environment(), o.inputs.said)
		if err != nil {
			return nil, err
		}
		e, err := a.emit(planfile.Service{}, got, o, o.format, o.dir)
		return []emitted{e}, err
	}
	file, err := a.readPlanFile(o.file)
	if err != nil {
		return nil, err
	}
	services, unknown := file.Select(o.services)
	faults := []error{unknown}
	var out []emitted
	for _, s := range services {
		got, err := a.resolve(s.Defaults, s.Own, a.environment(), o.inputs.said)
		if err == nil {
			format := o.format
			if format == "" {
				format = s.Emit.Format
			}
			dir := o.dir
			if dir == "" && s.Emit.Dir != "" && o.diff == "" && o.out == "" {
				dir = filepath.Join(filepath.Dir(file.Path), s.Emit.Dir)
			}
			var e emitted
			e, err = a.emit(s, got, o, format, dir)
			out = append(out, e)
		}
		if err != nil {
			var v verdict
			if errors.As(err, &v) { // names its service itself
				faults = append(faults, v)
				continue
			}
			faults = append(faults, named(s.Name, err))
		}
	}
	err = errors.Join(faults...)
	switch one := len(out) == 1; {
	case err == nil && o.diff != "" && !one:
		return nil, fault.Usagef("--diff compares one service, and %s has %d", file.Path, len(out)).Hintf("--service NAME, or --dir DIR --check")
	case err == nil && o.out != "" && !one:
		return nil, fault.Usagef("--out takes one service, and %s has %d", file.Path, len(out)).Hintf("--service NAME, or --dir DIR")
	}
	return out, err
}

// emit fits one service's plan to its library and renders it.
func (a *app) emit(s planfile.Service, got input.Resolved, o emitOptions, format, dir string) (emitted, error) {
	service := s.Name
	lib, err := lockLibrary(&got)
	if err != nil {
		return emitted{}, err
	}
	given, err := library.Pairs(lib, o.set)
	if err != nil {
		return emitted{}, err
	}
	e := emitted{service: service, path: o.diff, diffed: o.diff != ""}
	switch {
	case o.out != "" && o.out != "-":
		e.path = o.out
	case dir != "":
		if e.path, err = a.placeIn(dir, s, lib, format); err != nil {
			return e, err
		}
	}
	if e.path != "" {
		if e.before, e.stands, err = existing(e.path); err != nil {
			return e, err
		}
	}
	if e.form, err = library.FormIn(lib, format, e.path); err != nil {
		return e, err
	}
	if given, err = library.Surrounding(lib, given, e.path, e.before); err != nil {
		return e, err
	}
	found, err := express(service, got, lib, given)
	if err != nil {
		return e, err
	}
	e.fit, e.plan = found.fit, found.plan
	e.after, err = library.Render(e.fit, service, e.form, e.before)
	switch {
	case err != nil && e.path != "":
		return e, fault.Usagef("%s: %w", e.path, err).Hintf("%s", fault.HintOf(err))
	case err != nil:
		return e, err
	}
	if err := library.Merged(e.fit, e.plan.In, e.path, e.before, e.after); e.before != "" && err != nil {
		return e, verdict{exitNo, prefix(service) + err.Error(), fault.HintOf(err)}
	}
	return e, nil
}
