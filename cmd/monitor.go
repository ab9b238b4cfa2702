package cmd

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/monitor"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// monitorOptions say which plans to watch and what to write.
type monitorOptions struct {
	file     string
	services []string
	out      []string
}

var monitorKinds = []string{"rules", "dashboard", "contract"}

func newMonitorCmd(a *app) *cobra.Command {
	var o monitorOptions
	cmd := &cobra.Command{
		Use:   "monitor",
		Short: "Prometheus rules and a Grafana dashboard for the plan",
		Long: "monitor writes recording and alerting rules, a dashboard and the contract of the\n" +
			"metrics that a service exports. Every threshold is a number of the plan. A\n" +
			"service's metrics: in the plan file maps our metric names to yours.",
		Example: "  lockplan monitor -f deploy/lockplan.yaml\n" +
			"  lockplan monitor --out rules=locks.rules.yml --out dashboard=locks.json --out contract=METRICS.md",
		RunE: func(*cobra.Command, []string) error { return runMonitor(a, o) },
	}
	cmd.Flags().StringVarP(&o.file, "file", "f", defaultPlanFile, "the plan file, - for standard input")
	cmd.Flags().StringArrayVar(&o.services, "service", nil, "only this service (repeatable)")
	cmd.Flags().StringArrayVar(&o.out, "out", nil, "rules=FILE, dashboard=FILE or contract=FILE, - for standard output (repeatable)")
	return cmd
}

func runMonitor(a *app, o monitorOptions) error {
	out, err := parseDestinations(o.out, monitorKinds)
	if err != nil {
		return err
	}
	file, err := a.readPlanFile(o.file)
	if err != nil {
		return err
	}
	plans, err := a.planServices(file, o.services)
	if err != nil {
		return err
	}
	var watches []monitor.Watch
	for _, p := range plans {
		if !p.Feasible || !p.Enough() {
			return answer(p)
		}
		service := file.Services[slices.IndexFunc(file.Services, func(s planfile.Service) bool { return s.Name == p.In.Service })]
		mapping := map[string]string{}
		for _, m := range service.Metrics {
			mapping[m.Name] = m.Said
		}
		w, err := monitor.Make(p, mapping)
		if err != nil {
			return fault.Usagef("%s:%d: %w", file.Path, service.Line, err)
		}
		watches = append(watches, w)
	}
	err = a.deliver(out, func(kind string, w io.Writer) error {
		switch kind {
		case "rules":
			return monitor.WriteRules(w, watches)
		case "dashboard":
			return monitor.WriteDashboard(w, watches)
		}
		return monitor.WriteContract(w, watches)
	})
	if err != nil || toStdout(out) {
		return err
	}
	return a.writeWatches(watches)
}

// knownMetrics refuses metrics that cannot be read, before anything is planned.
func knownMetrics(file planfile.File) error {
	var faults []error
	for _, s := range file.Services {
		for _, m := range s.Metrics {
			if err := monitor.CheckMapping(s.Name, m.Name, m.Said); err != nil {
				faults = append(faults, fault.Usagef("%s:%d: %w", file.Path, m.Line, err))
			}
		}
	}
	return errors.Join(faults...)
}

func (a *app) writeWatches(watches []monitor.Watch) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(watchesDocument(watches))
	case "csv":
		rows := [][]string{{"lock", "alert", "clock", "severity", "threshold", "for_seconds", "expr"}}
		for _, w := range watches {
			for _, al := range w.Alerts {
				rows = append(rows, []string{w.Service, al.Name, al.Clock, al.Severity, al.Threshold, dur.Seconds(al.For), al.Expr})
			}
		}
		return a.writeCSV(rows)
	case "markdown":
		return monitor.WriteContract(a.out, watches)
	}
	for i, w := range watches {
		if i > 0 {
			a.out.WriteString("\n")
		}
		a.out.WriteString(shown(w.Service) + "\n")
		rows := [][]string{{"alert", "clock", "fires beyond", "severity"}}
		for _, al := range w.Alerts {
			rows = append(rows, []string{al.Name, al.Clock, al.Threshold, al.Severity})
		}
		a.writeColumns(rows)
		rows = [][]string{{"metric", "type", "edge"}}
		for _, m := range w.Metrics {
			edge := "-"
			if m.Edge != nil {
				edge = dur.Format(*m.Edge)
			}
			rows = append(rows, []string{shown(m.Series), m.Kind, edge})
		}
		a.out.WriteString("\n")
		a.writeColumns(rows)
		for _, line := range w.NotWatched {
			a.out.WriteString("not watched: " + line + "\n")
		}
	}
	return nil
}

// watchesSchema is the JSON form of what monitor writes.
const watchesSchema = "lockplan/monitor/v1"

type (
	watchesDoc struct {
		Schema   string     `json:"schema"`
		Services []watchDoc `json:"services"`
	}
	watchDoc struct {
		Service    string      `json:"service"`
		Metrics    []metricDoc `json:"metrics"`
		Records    []recordDoc `json:"records"`
		Alerts     []alertDoc  `json:"alerts"`
		NotWatched []string    `json:"not_watched"`
	}
	metricDoc struct {
		Name   string        `json:"name"`
		Series string        `json:"series"`
		Kind   string        `json:"kind"`
		Unit   string        `json:"unit"`
		Edge   *plan.Seconds `json:"edge_seconds"`
		What   string        `json:"what"`
	}
	recordDoc struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	alertDoc struct {
		Alert       string       `json:"alert"`
		Clock       string       `json:"clock"`
		Severity    string       `json:"severity"`
		Threshold   string       `json:"threshold"`
		For         plan.Seconds `json:"for_seconds"`
		Expr        string       `json:"expr"`
		Summary     string       `json:"summary"`
		Description string       `json:"description"`
	}
)

func watchesDocument(watches []monitor.Watch) watchesDoc {
	doc := watchesDoc{Schema: watchesSchema, Services: []watchDoc{}}
	for _, w := range watches {
		d := watchDoc{Service: w.Service, Metrics: []metricDoc{}, Records: []recordDoc{}, Alerts: []alertDoc{}, NotWatched: append([]string{}, w.NotWatched...)}
		for _, m := range w.Metrics {
			d.Metrics = append(d.Metrics, metricDoc{m.Name, m.Series, m.Kind, m.Unit, (*plan.Seconds)(m.Edge), m.What})
		}
		for _, r := range w.Records {
			d.Records = append(d.Records, recordDoc{r.Name, r.Expr})
		}
		for _, al := range w.Alerts {
			d.Alerts = append(d.Alerts, alertDoc{al.Name, al.Clock, al.Severity, al.Threshold, plan.Seconds(al.For), al.Expr, al.Summary, al.Description})
		}
		doc.Services = append(doc.Services, d)
	}
	return doc
}
