package cmd

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rollout"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/planfile"
)

func newRolloutCmd(a *app) *cobra.Command {
	var services []string
	cmd := &cobra.Command{
		Use:   "rollout OLD NEW",
		Short: "The safe order of steps from one plan to another",
		Long: "rollout compares two plan files, or two plans written with -o json, and orders what\n" +
			"differs so that old and new processes can run side by side during every step. Each\n" +
			"step is finished in every process, and the holds that began before it have ended,\n" +
			"before the next one begins.",
		Example: "  lockplan rollout lockplan.yaml lockplan.next.yaml\n" +
			"  lockplan plan -o json > running.json && lockplan rollout running.json lockplan.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.Usagef("two plans are needed, not %d", len(args)).Hintf("lockplan rollout OLD NEW")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runRollout(a, args[0], args[1], services) },
	}
	cmd.Flags().StringArrayVar(&services, "service", nil, "only this service (repeatable)")
	return cmd
}

// route is one service on its way from one plan to the other.
type route struct {
	service  string
	place    rule.Place // in NEW
	from, to rollout.Side
	steps    []rollout.Step
	conflict *rollout.Conflict
	// first and last are what the old and the new state break by themselves.
	first, last []rollout.Violation
	only        string // "added" or "removed": there is nothing to order
}

func runRollout(a *app, before, after string, services []string) error {
	was, err := a.readSides(before, services)
	if err != nil {
		return err
	}
	is, err := a.readSides(after, services)
	if err != nil {
		return err
	}
	var routes []route
	for _, to := range is {
		r := route{service: to.name, place: to.place, to: to.Side}
		i := slices.IndexFunc(was, func(s side) bool { return s.name == to.name })
		if i < 0 && len(was) == 1 && len(is) == 1 && (was[0].name == "" || to.name == "") {
			i = 0 // a plan of ttl names no service
		}
		if i < 0 {
			r.only = "added"
			_, r.last = rollout.Ends(r.to, r.to)
		} else {
			r.from = was[i].Side
			r.steps, r.conflict = rollout.Order(r.from, r.to)
			r.first, r.last = rollout.Ends(r.from, r.to)
			was = slices.Delete(was, i, i+1)
		}
		routes = append(routes, r)
	}
	for _, from := range was {
		routes = append(routes, route{service: from.name, only: "removed"})
	}
	if err := a.writeRoutes(routes); err != nil {
		return err
	}
	for _, r := range routes {
		for _, f := range r.findings() {
			if f.Severity == finding.Error {
				return verdict{exitNo, f.ID + ": " + f.Message, f.Fix}
			}
		}
	}
	return nil
}

// side is a service of one of the two plans.
type side struct {
	rollout.Side
	name  string
	place rule.Place
}

// readSides reads a plan file, or plans written as JSON.
func (a *app) readSides(path string, services []string) ([]side, error) {
	r, err := a.open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxConfig))
	r.Close()
	if err != nil {
		return nil, fault.Toolf("%s: %w", path, err)
	}
	var out []side
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		out, err = sidesOfDocument(path, trimmed)
	} else {
		out, err = a.sidesOfFile(path, text)
	}
	if err != nil || len(services) == 0 {
		return out, err
	}
	out = slices.DeleteFunc(out, func(s side) bool { return !slices.Contains(services, s.name) })
	if len(out) == 0 {
		return nil, fault.Usagef("%s has no service %s", path, strings.Join(services, ", "))
	}
	return out, nil
}

func (a *app) sidesOfFile(path string, text []byte) ([]side, error) {
	file, err := planfile.Read(path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	plans, err := a.planServices(file, nil)
	if err != nil {
		return nil, err
	}
	var out []side
	for i, p := range plans {
		if !p.Feasible || !p.Enough() {
			return nil, answer(p)
		}
		s := rollout.Side{In: p.In, Lease: p.Solution.Lease, StopWork: *p.StopWork, MaxHold: *p.MaxHold,
			Wait: configuredWait(p.Acquire.Wait), HasWait: p.Acquire.Known, Attempt: p.Acquire.Attempt}
		known(&s, p.In.Library)
		out = append(out, side{s, p.In.Service, rule.Place{File: path, Line: file.Services[i].Line}})
	}
	return out, nil
}

// configuredWait is the wait to configure for a planned one: a wait of all that
// the budget leaves is a violation (LP301).
func configuredWait(planned time.Duration) time.Duration {
	return max((planned - 1).Truncate(time.Millisecond), min(planned, time.Millisecond))
}

// findings are LP401 where no order is safe, where the new state is unsafe by
// itself, and, as a warning, where the old one is.
func (r route) findings() []finding.Finding {
	var out []finding.Finding
	if r.conflict != nil {
		out = append(out, r.conflictFinding())
	}
	if len(r.last) > 0 {
		out = append(out, rule.RolloutUnsafeEnd(r.place, shown(r.service), broken(r.last),
			"a new plan that keeps these rules; a fact that shrank counts at its old value until the old plan has the new one too"))
	}
	if len(r.first) > 0 {
		out = append(out, rule.RolloutUnsafeStart(r.place, shown(r.service), r.until(), broken(r.first),
			"roll out soon: no mixed state breaks them by more"))
	}
	return out
}

// until says after which step no state breaks a rule any more; nothing where
// none of the steps leads there.
func (r route) until() string {
	if r.conflict != nil || len(r.last) > 0 {
		return ""
	}
	for i, s := range r.steps {
		rest := r.steps[i+1:]
		if len(s.After.Violations()) == 0 && !slices.ContainsFunc(rest, func(s rollout.Step) bool { return len(s.After.Violations()) > 0 }) {
			return " until step " + strconv.Itoa(i+1) + " is done everywhere"
		}
	}
	return ""
}

// broken names the rules that are broken, and how.
func broken(all []rollout.Violation) string {
	var out []string
	for _, v := range all {
		out = append(out, v.ID+": "+v.Text)
	}
	return strings.Join(out, "; ")
}

// conflictFinding is LP401 where no order is safe.
func (r route) conflictFinding() finding.Finding {
	var wrong []string
	for _, v := range r.conflict.Violations {
		wrong = append(wrong, v.Text)
	}
	c := r.conflict
	text := "beside each other, " + stateText(c.Before) + " and " + stateText(c.After) + " conflict: " + strings.Join(wrong, "; ")
	longest := time.Duration(0)
	for _, l := range c.Before.Locks {
		longest = max(longest, l.Library.FreeMax(l.Lease.TTL))
	}
	return rule.RolloutUnsafe(r.place, shown(r.service), text,
		"a plan in between that agrees with both; or stop every old process, wait "+dur.Format(longest)+" for the last lease, and start the new ones")
}

// stateText is a state in one line.
func stateText(p rollout.Process) string {
	var locks []string
	for _, l := range p.Locks {
		text := l.Name + " " + dur.Format(l.Lease.TTL)
		if l.Lease.Renews() {
			text += " renewed every " + dur.Format(l.Lease.Interval)
		}
		locks = append(locks, text)
	}
	text := "[" + strings.Join(locks, " and ") + ", work until " + dur.Format(p.StopWork)
	if p.HasWait {
		text += ", wait " + dur.Format(p.Wait)
	}
	return text + "]"
}

// stepText says what a step does, from what and to what.
func (r route) stepText(s rollout.Step) (do, from, to string) {
	old, new := r.from, r.to
	switch s.Part {
	case rollout.ServerMax:
		return "servers grant up to", dur.Format(old.Lease.TTL), dur.Format(new.Lease.TTL)
	case rollout.ServerMin:
		return "servers grant down to", dur.Format(old.Lease.TTL), dur.Format(new.Lease.TTL)
	case rollout.Layers:
		return "outer timeouts", layersText(old.In), layersText(new.In)
	case rollout.Both:
		return "take both locks, the old one first", old.Lock, old.Lock + " and " + new.Lock
	case rollout.DropOld:
		return "drop the old lock", old.Lock + " and " + new.Lock, new.Lock
	case rollout.TTL:
		return "lease TTL", dur.Format(old.Lease.TTL), dur.Format(new.Lease.TTL)
	case rollout.Renewal:
		return "renewals", renewalText(old.Lease), renewalText(new.Lease)
	case rollout.Lease:
		return "lease", leaseText(old.Lease), leaseText(new.Lease)
	case rollout.Work:
		return "work limits: stop work, maximum hold", dur.Format(old.StopWork) + ", " + dur.Format(old.MaxHold), dur.Format(new.StopWork) + ", " + dur.Format(new.MaxHold)
	}
	return "acquire wait", waitText(old), waitText(new)
}

// layersText is the deadline with what it must have room for, and the limit of
// those who have none.
func layersText(in calc.Inputs) string {
	var out []string
	add := func(name string, b calc.Bound) {
		if b.Known {
			out = append(out, name+" "+dur.Format(b.Value))
		}
	}
	add("deadline", in.Deadline)
	if in.Deadline.Known {
		add("work", in.Work)
		add("reply", in.Reply)
		add("confirm", in.Confirm)
	}
	add("queue", in.QueueSLA)
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

func renewalText(l calc.Lease) string {
	if !l.Renews() {
		return "none"
	}
	return "every " + dur.Format(l.Interval) + ", " + dur.Format(l.Call) + " a call"
}

func leaseText(l calc.Lease) string { return dur.Format(l.TTL) + ", renewals " + renewalText(l) }

func waitText(s rollout.Side) string {
	if !s.HasWait {
		return "none"
	}
	return dur.Format(s.Wait) + ", " + dur.Format(s.Attempt) + " an attempt"
}

// why is the reason that a step stands where it stands.
var why = map[rollout.Part]string{
	rollout.ServerMax: "a server cuts a TTL that is above its range, and nobody is told",
	rollout.ServerMin: "a server raises a TTL that is below its range, and takeovers stay slow",
	rollout.Layers:    "the outer limit and the wait inside it must agree in every mix",
	rollout.Both:      "a process of the old lock alone and one of the new alone would not exclude each other",
	rollout.DropOld:   "every process takes the new lock by now",
	rollout.TTL:       "a lease is never shorter than the work and the renewals that count on it",
	rollout.Renewal:   "renewals count on the lease that every process has",
	rollout.Lease:     "the library ties the renewals to the TTL",
	rollout.Work:      "work never outlasts the shortest lease that still runs",
	rollout.Wait:      "waits last: a wait belongs to the takeover that callers see by then",
}

// reason is why a step is there. Two plans of one lock, of which only one names
// its library, look like two locks; to assume that they are one is not ours.
func (r route) reason(s rollout.Step) string {
	generic := calc.Generic{}.Name()
	if s.Part == rollout.Both && (r.from.Lock == generic) != (r.to.Lock == generic) {
		return why[s.Part] + "; if it is the same lock, name its library in both plans"
	}
	return why[s.Part]
}

// checkCommand holds one lock of a state against the rules, as typed.
func checkCommand(p rollout.Process, l rollout.Lock) string {
	in := p.In
	args := []string{"lockplan check --ttl " + dur.Format(l.Lease.TTL)}
	add := func(flag string, b calc.Bound) {
		if b.Finite() {
			args = append(args, "--"+flag+" "+dur.Format(b.Value))
		}
	}
	if l.Lease.Renews() {
		args = append(args, "--renew "+dur.Format(l.Lease.Interval), "--renew-timeout "+dur.Format(l.Lease.Call))
		if l.Lease.Spacing != l.Lease.Interval {
			args = append(args, "--renew-backoff "+dur.Format(l.Lease.Spacing-l.Lease.Call))
		}
		args = append(args, "--failures "+strconv.Itoa(in.Failures), "--max-hold "+dur.Format(p.MaxHold))
	}
	args = append(args, "--stop-work "+dur.Format(p.StopWork))
	if p.HasWait {
		args = append(args, "--wait "+dur.Format(p.Wait))
	}
	if flag, ok := holdFlags[in.Percentile]; ok {
		add(flag, in.Hold)
	}
	add("pause", in.Pause)
	add("margin", in.Margin)
	add("rto", in.RTO)
	if in.Deadline.Known {
		add("deadline", in.Deadline)
		add("work", in.Work)
		add("reply", in.Reply)
		add("confirm", in.Confirm)
	}
	if in.Drift > 0 {
		args = append(args, "--drift "+in.Drift.String())
	}
	if flag, ok := holdFlags[in.Percentile]; ok && flag != "p999" {
		args = append(args, "--percentile "+strconv.FormatFloat(in.Percentile, 'f', -1, 64))
	}
	return strings.Join(args, " ")
}

// holdFlags are the claims that state the hold at a planning percentile.
var holdFlags = map[float64]string{0.5: "p50", 0.95: "p95", 0.99: "p99", 0.999: "p999", 0.9999: "p9999"}

func (a *app) writeRoutes(routes []route) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(rolloutDocument(routes))
	case "csv", "markdown":
		rows := [][]string{}
		head := []string{"service", "step", "change", "from", "to", "why", "check when done"}
		for _, r := range routes {
			for i, s := range r.steps {
				do, from, to := r.stepText(s)
				rows = append(rows, []string{r.service, strconv.Itoa(i + 1), do, from, to, r.reason(s), strings.Join(checks(s.After), "; ")})
			}
		}
		if a.output == "csv" {
			return a.writeCSV(append([][]string{head}, rows...))
		}
		a.markdownTable(head, rows)
		return nil
	}
	for i, r := range routes {
		if i > 0 {
			a.out.WriteString("\n")
		}
		a.writeRoute(r)
	}
	return nil
}

func checks(p rollout.Process) []string {
	var out []string
	for _, l := range p.Locks {
		out = append(out, checkCommand(p, l))
	}
	return out
}

func (a *app) writeRoute(r route) {
	head := shown(r.service)
	if head == "" {
		head = "the lock"
	}
	switch {
	case r.only != "":
		a.out.WriteString(head + ": " + r.only + ", nothing runs beside it\n")
		a.writeFindings(r.findings())
		return
	case r.conflict != nil:
		a.out.WriteString(head + ": no order of steps is safe\n")
	case len(r.steps) == 0:
		a.out.WriteString(head + ": nothing to roll out\n")
		a.writeFindings(r.findings())
		return
	default:
		noun := "steps"
		if len(r.steps) == 1 {
			noun = "step"
		}
		claim := "safe in every mix"
		switch {
		case len(r.last) > 0:
			claim = "to an unsafe state"
		case len(r.first) > 0:
			claim = "out of an unsafe state"
		}
		a.out.WriteString(head + ": " + strconv.Itoa(len(r.steps)) + " " + noun + ", " + claim + "; finish each everywhere before the next\n")
	}
	for i, s := range r.steps {
		do, from, to := r.stepText(s)
		lead := strconv.Itoa(i+1) + ". "
		a.writeWrapped(lead, do+": "+from+" -> "+to)
		a.writeWrapped("   why   ", r.reason(s))
		for _, check := range checks(s.After) {
			a.writeCommand("   check ", check)
		}
		if i+1 < len(r.steps) {
			a.writeWrapped("   then  ", "wait "+dur.Format(s.Before.MaxHold)+": a hold that began before the step may last so long")
		}
	}
	a.writeFindings(r.findings())
}

// rolloutSchema is the JSON form of a rollout.
const rolloutSchema = "lockplan/rollout/v1"

type (
	rolloutDoc struct {
		Schema   string     `json:"schema"`
		Services []routeDoc `json:"services"`
	}
	routeDoc struct {
		Service  string                 `json:"service"`
		Safe     bool                   `json:"safe"`
		Only     *string                `json:"only"`
		Steps    []stepDoc              `json:"steps"`
		Findings []plan.FindingDocument `json:"findings"`
	}
	stepDoc struct {
		Part   string       `json:"part"`
		Change string       `json:"change"`
		From   string       `json:"from"`
		To     string       `json:"to"`
		Why    string       `json:"why"`
		Settle plan.Seconds `json:"settle_seconds"` // to wait after it, for holds that began before
		Before stateDoc     `json:"before"`
		After  stateDoc     `json:"after"`
	}
	stateDoc struct {
		Locks    []lockDoc     `json:"locks"`
		StopWork plan.Seconds  `json:"stop_work_seconds"`
		MaxHold  plan.Seconds  `json:"max_hold_seconds"`
		Wait     *plan.Seconds `json:"acquire_wait_seconds"`
		Checks   []string      `json:"checks"`
	}
	lockDoc struct {
		Lock     string        `json:"lock"`
		TTL      plan.Seconds  `json:"ttl_seconds"`
		Interval *plan.Seconds `json:"renew_interval_seconds"`
		Call     *plan.Seconds `json:"renew_timeout_seconds"`
	}
)

func rolloutDocument(routes []route) rolloutDoc {
	doc := rolloutDoc{Schema: rolloutSchema, Services: []routeDoc{}}
	for _, r := range routes {
		d := routeDoc{Service: r.service, Safe: r.conflict == nil && len(r.first) == 0 && len(r.last) == 0, Steps: []stepDoc{}, Findings: plan.Documents(r.findings())}
		if r.only != "" {
			d.Only = &r.only
		}
		for _, s := range r.steps {
			do, from, to := r.stepText(s)
			d.Steps = append(d.Steps, stepDoc{string(s.Part), do, from, to, r.reason(s), plan.Seconds(s.Before.MaxHold), stateOf(s.Before), stateOf(s.After)})
		}
		doc.Services = append(doc.Services, d)
	}
	return doc
}

func stateOf(p rollout.Process) stateDoc {
	d := stateDoc{StopWork: plan.Seconds(p.StopWork), MaxHold: plan.Seconds(p.MaxHold), Checks: checks(p)}
	if p.HasWait {
		wait := plan.Seconds(p.Wait)
		d.Wait = &wait
	}
	for _, l := range p.Locks {
		row := lockDoc{Lock: l.Name, TTL: plan.Seconds(l.Lease.TTL)}
		if l.Lease.Renews() {
			interval, call := plan.Seconds(l.Lease.Interval), plan.Seconds(l.Lease.Call)
			row.Interval, row.Call = &interval, &call
		}
		d.Locks = append(d.Locks, row)
	}
	return d
}
