package cmd

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/planfile"
	"github.com/lockplan/lockplan/profiles/report"
)

// checkOptions say what to check and against what.
type checkOptions struct {
	inputs   inputFlags
	set      []string
	file     string
	services []string
	baseline string
	failOn   string
	out      []string
	simulate bool
	lock     lockFlags
}

func newCheckCmd(a *app) *cobra.Command {
	o := checkOptions{failOn: "error"}
	cmd := &cobra.Command{
		Use:   "check [FILE…]",
		Short: "What a running configuration survives, and which rules it breaks",
		Long: "check reads what people run today: a library's own file, its keys as --set, a lock\n" +
			"described by flags, or the config: of every service in lockplan.yaml. It says what\n" +
			"that survives and which rules it breaks, also without observations. It never writes.",
		Example: "  lockplan check --library redisson@3.47 application.yaml --firewall-idle 5m --deadline 1s\n" +
			"  lockplan check --library client-go --set leaseDuration=60s --set renewDeadline=40s --set retryPeriod=5s\n" +
			"  lockplan check --ttl 30s --renew 10s --renew-timeout 2s --pause 1.5s --outage 10s\n" +
			"  lockplan check -f lockplan.yaml --fail-on warning",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, files []string) error { return runCheck(a, o, files) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.set, "set", nil, "KEY=VALUE in the library's spelling and unit (repeatable)")
	flags.StringVarP(&o.file, "file", "f", "", "check the config: of every service of this plan file")
	flags.StringArrayVar(&o.services, "service", nil, "with -f: only this service (repeatable)")
	flags.StringVar(&o.baseline, "baseline", "", "a plan or a check as JSON: also report what got worse")
	flags.StringVar(&o.failOn, "fail-on", o.failOn, "error, warning or info: from which severity on the exit code is 3")
	flags.StringArrayVar(&o.out, "out", nil, "KIND=FILE, - for standard output, with KIND one of "+strings.Join(reportKinds, ", ")+" (repeatable)")
	flags.BoolVar(&o.simulate, "simulate", false, "confirm what each configuration survives by simulation")
	o.lock.register(cmd)
	o.inputs.register(cmd)
	return cmd
}

func runCheck(a *app, o checkOptions, files []string) error {
	var failOn finding.Severity
	if err := failOn.UnmarshalText([]byte(o.failOn)); err != nil {
		return fault.Usagef("--fail-on: %w", err)
	}
	out, err := parseDestinations(o.out, reportKinds)
	if err != nil {
		return err
	}
	a.holdOptional = true
	targets, err := a.targets(o, files)
	if err != nil {
		return err
	}
	if o.simulate {
		for i := range targets {
			targets[i].probes = simulateTarget(targets[i])
		}
	}
	if o.baseline != "" {
		if err := a.compareBaseline(o.baseline, targets); err != nil {
			return err
		}
	}
	if err := a.deliverTargets(out, targets, failOn); err != nil {
		return err
	}
	if !toStdout(out) {
		if err := a.writeTargets(targets, failOn); err != nil {
			return err
		}
	}
	if err := checked(targets, failOn); err != nil {
		return err
	}
	return unconfirmed(targets)
}

// target is one configuration with its verdict.
type target struct {
	name string
	library.Verdict
	// noPlan is set for a service that runs nothing and can be planned by
	// nothing: no suppression changes that.
	noPlan bool
	// planned is set for a service without a config: its plan is checked.
	planned bool
	// line is where the configuration begins in its file; 0 has none.
	line int
	// place is the service in the plan file, where there is one.
	place    rule.Place
	setAside []report.SetAside
	// probes are what --simulate confirmed; nil without it.
	probes []probe
}

// targets reads everything that was named before it answers.
func (a *app) targets(o checkOptions, files []string) ([]target, error) {
	if o.file != "" {
		if len(files) > 0 || len(o.set) > 0 || o.lock.given() {
			return nil, fault.Usagef("-f %s checks the services' own configs: no other file, --set or lock flags beside it", o.file)
		}
		return a.serviceTargets(o)
	}
	got, err := a.resolve(a.environment(), o.inputs.said)
	if err != nil {
		return nil, err
	}
	lib, err := lockLibrary(&got)
	if err != nil {
		return nil, err
	}
	if o.lock.renew.Known && o.lock.renew.Value == 0 {
		return nil, fault.Usagef("--renew 0s: an interval of 0 is no interval").Hintf("leave --renew out for a lease that nobody renews")
	}
	if stop := o.lock.surroundings.StopWork; stop.Known && stop.Value == 0 {
		return nil, fault.Usagef("--stop-work 0s: no work could ever begin").Hintf("leave --stop-work out where nothing stops the work")
	}
	if most := got.Inputs.MaxHold; most.Known && most.Value == 0 {
		return nil, fault.Usagef("--max-hold 0s: no work could ever begin").Hintf("leave --max-hold out where nothing ends a hold")
	}
	named := lib.Name() != "generic"
	switch {
	case named && o.lock.describesLock():
		return nil, fault.Usagef("--ttl, --renew and their like describe a lock of no library, and --library is %s", lib.Name()).
			Hintf("its own keys as --set KEY=VALUE: lockplan library show %s", lib.Name())
	case !named && len(files) > 0 && !o.inputs.says("library"):
		return nil, fault.Usagef("which library reads %s?", files[0]).Hintf("--library NAME, see lockplan library list")
	}
	given, err := library.Pairs(lib, o.set)
	if err != nil {
		return nil, err
	}
	for key, v := range o.lock.values() {
		given[key] = v
	}
	if len(files) == 0 {
		if len(given) == 0 && !o.lock.given() && !named {
			return nil, fault.Usagef("nothing to check").Hintf("a FILE with --library NAME, --set KEY=VALUE, --ttl 30s, or -f lockplan.yaml")
		}
		t, err := judge(lib, lib.Name(), given, got, o.lock.setup())
		return []target{t}, err
	}
	var out []target
	var faults []error
	for _, path := range files {
		found, err := a.fileTargets(lib, path, path, given, got, o.lock.setup())
		out = append(out, found...)
		if err != nil {
			faults = append(faults, err)
		}
	}
	return out, errors.Join(faults...)
}

// fileTargets are the configurations of a file, under a name that tells them
// apart; given comes before what the file says.
func (a *app) fileTargets(lib library.Library, path, name string, given library.Values, got input.Resolved, setup rule.Setup) ([]target, error) {
	configs, err := a.readConfigs(lib, path)
	if err != nil {
		return nil, err
	}
	var out []target
	for _, c := range configs {
		maps.Copy(c.Values, given)
		full := name
		if c.What != "" {
			full += "#" + c.What
		}
		t, err := judge(lib, full, c.Values, got, setup)
		if err != nil {
			return nil, err
		}
		t.line = c.Line
		t.NotChecked = append(t.NotChecked, c.Notes...)
		for _, key := range slices.Sorted(maps.Keys(c.Lacks)) {
			if _, typed := given[key]; !typed {
				t.NotChecked = append(t.NotChecked, c.Lacks[key])
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// readConfigs reads a library's settings out of a file.
func (a *app) readConfigs(lib library.Library, path string) ([]library.Config, error) {
	data, err := a.readWhole(path)
	if err != nil {
		return nil, err
	}
	return library.ParseAll(lib, path, data)
}

// judge is the verdict on one configuration.
func judge(lib library.Library, name string, values library.Values, got input.Resolved, setup rule.Setup) (target, error) {
	in, err := got.Inputs.Resolve()
	if err != nil {
		return target{}, err
	}
	if in.MaxHold.Known {
		in = cutMean(got)(in, in.MaxHold.Value)
	}
	run := &library.Running{Library: lib, Values: values, In: in, Setup: setup, MaxHold: in.MaxHold}
	verdict, err := library.Judge(run)
	if err != nil {
		return target{}, err
	}
	for _, f := range got.Findings {
		if in.Hold.Unbounded && run.HasLease && (f.ID == rule.LP201.ID || f.ID == rule.LP202.ID) && f.File == in.Hold.File {
			// A fixed lease rests on the hold, a renewed one does not.
			f.Severity = finding.Error
			if run.Lease.Renews() {
				f.Severity = finding.Warning
			}
		}
		verdict.Findings = append(verdict.Findings, f)
	}
	rule.Sort(verdict.Findings)
	return target{name: name, Verdict: verdict}, nil
}

// serviceTargets checks each service's config against its inputs, or its plan
// where it has none.
func (a *app) serviceTargets(o checkOptions) ([]target, error) {
	file, err := a.readPlanFile(o.file)
	if err != nil {
		return nil, err
	}
	services, unknown := file.Select(o.services)
	faults := []error{unknown}
	var out []target
	var of []planfile.Service
	for _, s := range services {
		found, err := a.serviceTarget(file, s, o.inputs.said)
		if err != nil {
			faults = append(faults, named(s.Name, err))
			continue
		}
		for _, t := range found {
			t.place = rule.Place{File: file.Path, Line: s.Line}
			out, of = append(out, t), append(of, s)
		}
	}
	oneSize(out)
	oneMajority(out)
	for i := range out {
		out[i].Findings, out[i].setAside = a.suppress(out[i].Findings, file.Path, of[i])
		findingsInFile(out[i].Findings)
	}
	return out, errors.Join(faults...)
}

// oneSize is LP120 for each service whose TTL an earlier one shares although
// their holds are not alike.
func oneSize(targets []target) {
	for i := range targets {
		for _, other := range targets[:i] {
			t := &targets[i]
			mine, others := t.Run, other.Run
			if !mine.HasLease || !others.HasLease || mine.Lease.TTL != others.Lease.TTL || !mine.In.Hold.Finite() || !others.In.Hold.Finite() {
				continue
			}
			place := rule.Place{File: mine.Setup.TTL.File, Line: mine.Setup.TTL.Line}
			if f, unlike := rule.OneSize(place, shown(other.name), others.In.Hold.Value, shown(t.name), mine.In.Hold.Value, mine.Lease.TTL); unlike {
				t.Findings = append(t.Findings, f)
				rule.Sort(t.Findings)
				break
			}
		}
	}
}

// serviceTarget is a service's config, or each of the locks that it holds, under
// the inputs of the file and those that were typed on top of it.
func (a *app) serviceTarget(file planfile.File, s planfile.Service, said input.Set) ([]target, error) {
	got, err := a.resolve(s.Defaults, s.Own, a.environment(), said)
	if err != nil {
		return nil, err
	}
	if in := &got.Inputs; !in.FailuresGiven { // a plan asks for its k (LP109)
		in.Failures, in.FailuresGiven = calc.DefaultFailures, true
	}
	setup := rule.Setup{Layers: layers(file.Path, s.Chain)}
	lib, err := lockLibrary(&got)
	if err != nil {
		return nil, err
	}
	if s.Config.Path == "" {
		t, err := a.planTarget(s.Name, lib, got, setup)
		return []target{t}, err
	}
	return a.fileTargets(lib, s.Config.Path, s.Name, nil, got, setup)
}

// planTarget is a service that runs nothing yet: what its plan would be.
func (a *app) planTarget(name string, lib library.Library, got input.Resolved, setup rule.Setup) (target, error) {
	p, err := makePlan(name, got, setup)
	if err != nil {
		return target{}, err
	}
	run := &library.Running{Library: lib, In: p.In, Setup: setup, Effective: map[string]string{}}
	v := library.Verdict{Run: run, Findings: p.Findings}
	if p.Feasible {
		run.HasLease, run.Lease = true, p.Solution.Lease
		run.MaxHold = calc.Compute(*p.MaxHold, p.MaxHoldSource)
		v.Consequences = library.ConsequencesOf(run)
		// As the plan has them: by the library's own arithmetic where that is worse.
		c := &v.Consequences
		c.Interval, c.Call, c.Failures, c.Outage, c.Pause = p.RenewInterval, p.RenewTimeout, p.RenewFailures, p.OutageSurvived, p.PauseSurvived
		c.TakeoverWorst, c.TakeoverClean = p.TakeoverWorst, p.TakeoverClean
	}
	return target{name: name, Verdict: v, planned: true, noPlan: !p.Feasible && p.Enough()}, nil
}

// layers are the timeouts of a call chain, with the lines they stand in.
func layers(path string, chain []planfile.Layer) []rule.Layer {
	var out []rule.Layer
	for _, l := range chain {
		b := calc.Claim(l.Timeout, "chain")
		b.File, b.Line = path, l.Line
		out = append(out, rule.Layer{Name: shown(l.Name), Timeout: b})
	}
	return out
}

// suppress takes out findings that the plan file sets aside with a reason, and
// says which of those entries have run out.
func (a *app) suppress(found []finding.Finding, path string, s planfile.Service) (kept []finding.Finding, aside []report.SetAside) {
	today := a.now()
	for _, ignore := range s.Ignore {
		if !ignore.Until.IsZero() && !today.Before(ignore.Until.AddDate(0, 0, 1)) {
			found = append(found, rule.SuppressionExpired(rule.Place{File: path, Line: ignore.Line},
				ignore.Rule, ignore.Until.Format(time.DateOnly), shown(ignore.Reason)))
			continue
		}
		found = slices.DeleteFunc(found, func(f finding.Finding) bool {
			if f.ID != ignore.Rule {
				return false
			}
			aside = append(aside, report.SetAside{Finding: f, Reason: ignore.Reason, Until: ignore.Until})
			return true
		})
	}
	rule.Sort(found)
	return found, aside
}

// checked is nil when nothing is violated from the severity on.
func checked(targets []target, failOn finding.Severity) error {
	var worst *verdict
	for _, t := range targets {
		for _, f := range t.Findings {
			if f.Severity < failOn {
				continue
			}
			v := verdict{exitNo, shown(t.name) + ": " + f.ID + ": " + placeOf(f) + f.Message, f.Fix}
			if lacksData(f) {
				v.code = exitNotKnown
			}
			if worst == nil || worst.code == exitNotKnown && v.code == exitNo {
				worst = &v
			}
		}
		if t.noPlan && (worst == nil || worst.code == exitNotKnown) {
			worst = &verdict{exitNo, shown(t.name) + ": there is no plan", "lockplan plan --service " + shown(t.name)}
		}
		if len(t.Unknown) > 0 && worst == nil {
			worst = &verdict{exitNotKnown, shown(t.name) + ": " + shown(t.Unknown[0]), "a default in the file, or --set KEY=VALUE"}
		}
	}
	if worst == nil {
		return nil
	}
	return *worst
}

// lacksData reports whether a finding says that there is no number, rather
// than that a number is wrong.
func lacksData(f finding.Finding) bool {
	return f.ID == rule.LP201.ID || f.ID == rule.LP202.ID || f.ID == rule.LP206.ID
}
