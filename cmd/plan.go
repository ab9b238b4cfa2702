package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// defaultPlanFile is read when no -f is given.
const defaultPlanFile = "lockplan.yaml"

// planOptions say which services of which file to plan.
type planOptions struct {
	file     string
	services []string
}

func newPlanCmd(a *app) *cobra.Command {
	var o planOptions
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "A plan for every service of lockplan.yaml",
		Long: "plan reads every service of a plan file before it answers any, and prints a plan\n" +
			"for each. -o yaml is a configuration that a service can read as it is.",
		Example: "  lockplan plan\n  lockplan plan -f deploy/lockplan.yaml --service checkout-stock -o yaml",
		RunE:    func(*cobra.Command, []string) error { return runPlan(a, o) },
	}
	cmd.Flags().StringVarP(&o.file, "file", "f", defaultPlanFile, "the plan file, - for standard input")
	cmd.Flags().StringArrayVar(&o.services, "service", nil, "only this service (repeatable)")
	return cmd
}

func runPlan(a *app, o planOptions) error {
	file, err := a.readPlanFile(o.file)
	if err != nil {
		return err
	}
	plans, err := a.planServices(file, o.services)
	if err != nil {
		return err
	}
	if err := a.writePlans(plans); err != nil {
		return err
	}
	return answers(plans)
}

// readPlanFile reads the plan file strictly.
func (a *app) readPlanFile(path string) (planfile.File, error) {
	r, err := a.open(path)
	if err != nil {
		if path == defaultPlanFile {
			var known *fault.Error
			if errors.As(err, &known) {
				return planfile.File{}, known.Hintf("lockplan init writes one, -f FILE names another")
			}
		}
		return planfile.File{}, err
	}
	defer r.Close()
	file, err := planfile.Read(path, r)
	if err == nil {
		err = errors.Join(knownIgnores(file), knownMetrics(file))
	}
	return file, err
}

// planServices plans the named services, or all of them. Every service is
// read before the first error is reported.
func (a *app) planServices(file planfile.File, names []string) ([]plan.Plan, error) {
	services, unknown := file.Select(names)
	faults := []error{unknown}
	var plans []plan.Plan
	for _, s := range services {
		p, err := a.planService(file.Path, s)
		if err != nil {
			faults = append(faults, named(s.Name, err))
			continue
		}
		plans = append(plans, p)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return plans, nil
}

// planService plans one service in its call chain and sets aside what its
// ignore list says.
func (a *app) planService(path string, s planfile.Service) (plan.Plan, error) {
	got, err := a.resolve(s.Defaults, s.Own, a.environment())
	if err != nil {
		return plan.Plan{}, err
	}
	p, err := makePlan(s.Name, got, rule.Setup{Layers: layers(path, s.Chain)})
	p.Findings, _ = a.suppress(p.Findings, path, s)
	findingsInFile(p.Findings)
	relaxationsInFile(p.Relaxations)
	return p, err
}

// named puts the service in front of an error.
func named(service string, err error) error {
	return &fault.Error{Class: fault.ClassOf(err), Msg: "service " + shown(service) + ": " + err.Error(), Hint: fileKeys(fault.HintOf(err)), Err: err}
}

// planList is the JSON document of several plans.
type planList struct {
	Schema string          `json:"schema"`
	Plans  []plan.Document `json:"plans"`
}

func (a *app) writePlans(plans []plan.Plan) error {
	list := planList{Schema: plan.ListSchema, Plans: []plan.Document{}}
	for _, p := range plans {
		list.Plans = append(list.Plans, p.Document())
	}
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(list)
	case "csv":
		return a.writePlansCSV(plans)
	case "markdown":
		for _, p := range plans {
			a.writePlanMarkdown(p)
		}
	default:
		if len(plans) == 1 {
			a.writePlanTable(plans[0])
			return nil
		}
		a.writePlansTable(plans)
	}
	return nil
}

// writePlansTable is one row a service, then each service's findings.
func (a *app) writePlansTable(plans []plan.Plan) {
	head := []string{"service", "TTL", "renew", "wait", "stop work", "max hold", "takeover", "plan"}
	rows := [][]string{head}
	for _, p := range plans {
		rows = append(rows, planRow(p))
	}
	a.writeColumns(rows)
	fmt.Fprintln(a.out, "\n--service NAME shows how one adds up")
	for _, p := range plans {
		if len(p.Findings) == 0 && len(p.Relaxations) == 0 {
			continue
		}
		fmt.Fprintf(a.out, "\n%s\n", shown(p.In.Service))
		for _, r := range p.Relaxations {
			fmt.Fprintf(a.out, "  %s\n", r.Text)
		}
		a.writeFindings(p.Findings)
	}
}

func planRow(p plan.Plan) []string {
	verdict := "holds"
	switch {
	case !p.Enough():
		verdict = "no data"
	case !p.Feasible:
		verdict = "infeasible"
	case !p.Holds():
		verdict = "violated"
	}
	if !p.Feasible {
		return []string{shown(p.In.Service), "-", "-", "-", "-", "-", "-", verdict}
	}
	renew, wait, hold, takeover := "fixed", "?", "?", "?"
	if p.Solution.Mode == calc.Renewed {
		renew = dur.Format(*p.RenewInterval)
	}
	if p.AcquireWait != nil {
		wait = dur.Format(*p.AcquireWait)
	}
	if p.TakeoverWorst != nil {
		takeover = dur.Format(*p.TakeoverWorst)
	}
	if p.MaxHold != nil {
		hold = dur.Format(*p.MaxHold)
	}
	return []string{shown(p.In.Service), dur.Format(*p.TTL), renew, wait, dur.Format(*p.StopWork),
		hold, takeover, verdict}
}

// writeColumns aligns cells with two spaces between columns; where that is too
// wide the last column is folded.
func (a *app) writeColumns(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row[:len(row)-1] {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+2))
		}
		a.writeWrapped(line.String(), row[len(row)-1])
	}
}

// answers is the verdict over several plans: no data first, then no.
func answers(plans []plan.Plan) error {
	var worst *verdict
	for _, p := range plans {
		var v verdict
		if err := answer(p); errors.As(err, &v) && (worst == nil || v.code > worst.code) {
			worst = &v
		}
	}
	if worst == nil {
		return nil
	}
	return *worst
}
