// Package monitor turns a plan into what watches it: Prometheus recording and
// alerting rules, a Grafana dashboard and the contract of the metrics that a
// service exports. Every threshold is a number of the plan.
//
// An alert counts what lies beyond a bucket edge instead of comparing an
// interpolated quantile: histogram_quantile never leaves the last finite
// bucket, so that a hold in +Inf would look like the largest edge (B2).
package monitor

import (
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
)

// Watch is what watches one service.
type Watch struct {
	Service    string
	Metrics    []Metric
	Records    []Record
	Alerts     []Alert
	Panels     []Panel
	NotWatched []string // what is not, because the user has no metric for it
}

// Metric is a row of the contract for one service.
type Metric struct {
	Name   string // ours
	Series string // as selected in the user's Prometheus
	Kind   string
	Unit   string // of the series, "" for a counter
	What   string
	// Edge is the bucket edge that must exist, nil where none must.
	Edge *time.Duration
}

// Record is a recording rule.
type Record struct {
	Name   string
	Expr   string
	Labels map[string]string
}

// Alert is an alerting rule.
type Alert struct {
	Name        string
	Clock       string // the clock that broke
	Severity    string // "critical" or "warning"
	Expr        string
	For         time.Duration
	Threshold   string // the plan's number, for people
	Summary     string
	Description string
}

// Make watches a feasible plan; mapping is metrics: of its service. The error
// is a mapping that cannot be read, or a plan without numbers.
func Make(p plan.Plan, mapping map[string]string) (Watch, error) {
	name := p.In.Service
	if !p.Feasible || !p.Enough() {
		return Watch{}, fault.Usagef("service %q has no plan to watch", name).Hintf("lockplan plan --service %s", name)
	}
	found, err := resolve(name, mapping)
	if err != nil {
		return Watch{}, err
	}
	w := Watch{Service: name}
	for _, m := range contract {
		s := found[m.name]
		if m.renewed && !renewed(p) {
			continue
		}
		if s.absent {
			continue
		}
		row := Metric{Name: m.name, Kind: string(m.kind), Series: s.selector(""), What: m.what}
		if m.kind != counter {
			row.Unit = unitName(s.unit)
		}
		if m.edge != nil {
			edge := m.edge(p)
			row.Edge = &edge
		}
		w.Metrics = append(w.Metrics, row)
	}
	b := builder{p: p, found: found, watch: &w}
	for _, watch := range watches {
		watch(&b)
	}
	if len(w.Alerts) == 0 {
		return Watch{}, fault.Usagef("service %q: metrics: every metric is none, and nothing is left to watch", name).
			Hintf("one metric at least, such as lock_hold_seconds")
	}
	b.blind()
	return w, nil
}

func unitName(unit time.Duration) string {
	for text, u := range byText {
		if u == unit {
			return text
		}
	}
	return dur.Format(unit)
}

// builder collects what watches one service.
type builder struct {
	p     plan.Plan
	found map[string]series
	watch *Watch
	needs []string // what has a value when something is missing
}

// has gives the series of metrics, and false when the user lacks one of them;
// what is then not watched is noted.
func (b *builder) has(what string, names ...string) ([]series, bool) {
	var out []series
	for _, name := range names {
		s := b.found[name]
		if s.absent {
			b.watch.NotWatched = append(b.watch.NotWatched, what+": needs "+name)
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

func (b *builder) need(selectors ...string) {
	for _, s := range selectors {
		b.needs = append(b.needs, "absent("+s+")")
	}
}

// needEdge wants a bucket edge in every process.
func (b *builder) needEdge(s series, edge time.Duration) {
	within := s.within(edge)
	b.need(within)
	b.needs = append(b.needs, "(count("+s.selector("_count")+") > count("+within+"))")
}

// record adds a recording rule and returns the selector of what it records.
func (b *builder) record(name, expr string) string {
	b.watch.Records = append(b.watch.Records, Record{Name: "lockplan:" + name, Expr: expr, Labels: map[string]string{"lock": b.p.In.Service}})
	return "lockplan:" + name + "{lock=" + quote(b.p.In.Service) + "}"
}

func (b *builder) alert(a Alert) { b.watch.Alerts = append(b.watch.Alerts, a) }

func (b *builder) panel(p Panel) { b.watch.Panels = append(b.watch.Panels, p) }

// blind is the alert that the others rest on: without their series they are
// silent for ever.
func (b *builder) blind() {
	if len(b.needs) == 0 {
		return
	}
	b.alert(Alert{
		Name: "LockNotWatched", Clock: "none", Severity: "warning", For: 15 * time.Minute, Expr: strings.Join(b.needs, " or "), Threshold: "15m",
		Summary:     "a metric or a bucket edge that the alerts of " + b.p.In.Service + " count is missing",
		Description: "The alerts of this lock stay silent without it. lockplan monitor --out contract=- lists what must be exported, with the edges.",
	})
}
