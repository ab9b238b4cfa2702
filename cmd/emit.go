package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
)

// emitOptions say what to write, how and where.
type emitOptions struct {
	inputs   inputFlags
	file     string
	services []string
	format   string
	set      []string
	dir      string
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
			"  lockplan emit -f lockplan.yaml --dir build/locks\n" +
			"  lockplan emit -f lockplan.yaml --dir build/locks --check",
		RunE: func(*cobra.Command, []string) error { return runEmit(a, o) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.file, "file", "f", "", "every service of this plan file")
	flags.StringArrayVar(&o.services, "service", nil, "with -f: only this service (repeatable)")
	flags.StringVar(&o.format, "format", "", "yaml, json, properties, env, toml, flags, go, java, py or js (default: the library's own)")
	flags.StringArrayVar(&o.set, "set", nil, "KEY=VALUE that the surroundings fix, such as a server's tickTime (repeatable)")
	flags.StringVar(&o.dir, "dir", "", "write a file a service into this folder, all or none (default: the emit: {dir: …} of the plan file)")
	flags.StringVar(&o.diff, "diff", "", "show what would change in this file, and write nothing")
	flags.BoolVar(&o.check, "check", false, "with --dir or --diff: write nothing, exit 3 when something would change")
	o.inputs.register(cmd)
	return cmd
}

// emitted is a service's configuration.
type emitted struct {
	service string
	form    string
	path    string // "" is standard output
	before  string
	after   string
	plan    plan.Plan
	fit     library.Fitted
}

func runEmit(a *app, o emitOptions) error {
	if o.dir != "" && o.diff != "" {
		return fault.Usagef("--dir and --diff each name what to compare with").Hintf("leave one of them out")
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
		return fault.Usagef("--check compares with files, and none is named").Hintf("--dir DIR or --diff FILE")
	}
	if o.check || o.diff != "" {
		return a.compare(files, o.check)
	}
	if err := writeAll(files); err != nil {
		return err
	}
	switch {
	case a.output == "json":
		return a.writeJSON(emitDocumentOf(all))
	case a.output == "yaml":
		return a.writeYAML(emitDocumentOf(all))
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
// will find in the configuration as it is emitted.
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
		e, err := a.emit("", got, o, o.format, o.dir)
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
			if dir == "" && s.Emit.Dir != "" && o.diff == "" {
				dir = filepath.Join(filepath.Dir(file.Path), s.Emit.Dir)
			}
			var e emitted
			e, err = a.emit(s.Name, got, o, format, dir)
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
	if err == nil && o.diff != "" && len(out) > 1 {
		return nil, fault.Usagef("--diff compares one service, and %s has %d", file.Path, len(out)).Hintf("--service NAME, or --dir DIR --check")
	}
	return out, err
}

// emit fits one service's plan to its library and renders it.
func (a *app) emit(service string, got input.Resolved, o emitOptions, format, dir string) (emitted, error) {
	lib, ok := got.Inputs.Library.(library.Library)
	if !ok {
		var err error
		if lib, err = library.Get("generic"); err != nil {
			return emitted{}, err
		}
		got.Inputs.Library = lib
	}
	given, err := library.Pairs(lib, o.set)
	if err != nil {
		return emitted{}, err
	}
	e := emitted{service: service, path: o.diff}
	if dir != "" {
		if e.form, err = library.FormOf(lib, format); err != nil {
			return e, err
		}
		e.path = filepath.Join(dir, library.File(service, e.form))
	}
	if e.path != "" {
		if e.before, err = existing(e.path); err != nil {
			return e, err
		}
	}
	if e.form, err = library.FormFor(lib, format, e.path, e.before); err != nil {
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
	if e.after, err = library.Render(e.fit, service, e.form, e.before); err != nil {
		return e, fault.Usagef("%s: %w", e.path, err).Hintf("%s", fault.HintOf(err))
	}
	if err := library.Merged(e.fit, e.plan.In, e.path, e.before, e.after); e.before != "" && err != nil {
		return e, verdict{exitNo, prefix(service) + err.Error(), fault.HintOf(err)}
	}
	return e, nil
}

// existing is a file's text, "" where there is none.
func existing(path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && info.Size() > maxConfig {
		return "", fault.Usagef("%s is longer than %d MB: no configuration", path, maxConfig>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fault.Toolf("%w", err)
	}
	return string(text), nil
}

// writeAll writes every file or none: each is written beside its place first,
// then all are renamed.
func writeAll(all []emitted) error {
	taken := map[string]string{}
	for _, e := range all {
		if other, twice := taken[strings.ToLower(e.path)]; twice {
			return fault.Usagef("services %q and %q would both be written to %s", other, e.service, e.path)
		}
		taken[strings.ToLower(e.path)] = e.service
	}
	var files []staged
	defer func() {
		for _, s := range files {
			s.drop()
		}
	}()
	for _, e := range all {
		if err := os.MkdirAll(filepath.Dir(e.path), 0o755); err != nil {
			return fault.Toolf("%w", err)
		}
		s, err := stage(e.path, []byte(e.after))
		if err != nil {
			return err
		}
		for _, other := range files {
			if other.target == s.target {
				s.drop()
				return fault.Usagef("%s and %s are the same file", other.path, s.path)
			}
		}
		files = append(files, s)
	}
	for _, s := range files {
		if err := s.commit(); err != nil {
			return err
		}
	}
	return nil
}
