package cmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/planfile"
	"github.com/lockplan/lockplan/profiles/report"
)

// plantestOptions say which tests to run and what to write.
type plantestOptions struct {
	out []string
	run string
}

var plantestKinds = []string{"junit"}

func newPlantestCmd(a *app) *cobra.Command {
	var o plantestOptions
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Unit tests of plans: inputs, and the values and findings they must give",
		Long: "test plans every test of a file and compares the plan with what the test expects.\n" +
			"LOCKPLAN_* variables do not count here: a test gives the same answer everywhere.",
		Example: "  lockplan test lockplan.test.yaml\n  lockplan test lockplan.test.yaml --out junit=report.xml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fault.Usagef("no file of tests is named").Hintf("lockplan test lockplan.test.yaml")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runPlantest(a, o, args) },
	}
	cmd.Flags().StringArrayVar(&o.out, "out", nil, "junit=FILE, - for standard output")
	cmd.Flags().StringVar(&o.run, "run", "", "only tests whose name contains this text")
	return cmd
}

// tested is one test with what was wrong.
type tested struct {
	file string
	test planfile.Test
	// failures are "file:line: …".
	failures []string
}

func runPlantest(a *app, o plantestOptions, files []string) error {
	out, err := parseDestinations(o.out, plantestKinds)
	if err != nil {
		return err
	}
	var results []tested
	var faults []error
	for _, path := range files {
		r, err := a.open(path)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		tests, err := planfile.ReadTests(path, r)
		r.Close()
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, t := range tests {
			if !strings.Contains(t.Name, o.run) {
				continue
			}
			failures, err := a.tryPlan(path, t)
			if err != nil {
				faults = append(faults, err)
			}
			results = append(results, tested{path, t, failures})
		}
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	if len(results) == 0 {
		return fault.Usagef("--run %q: no test has it in its name", o.run)
	}
	if err := a.deliver(out, func(_ string, w io.Writer) error { return report.WriteJUnit(w, suitesOf(results)) }); err != nil {
		return err
	}
	if !toStdout(out) {
		if err := a.writeTested(results); err != nil {
			return err
		}
	}
	failed := 0
	for _, r := range results {
		if len(r.failures) > 0 {
			failed++
		}
	}
	if failed > 0 {
		return verdict{exitNo, fmt.Sprintf("%d of %d tests failed", failed, len(results)), ""}
	}
	return nil
}

// tryPlan makes the plan of a test and returns what differs. Its error is a
// test that cannot be asked.
func (a *app) tryPlan(path string, t planfile.Test) ([]string, error) {
	at := func(line int, format string, args ...any) string {
		return path + ":" + strconv.Itoa(line) + ": " + fmt.Sprintf(format, args...)
	}
	for _, named := range slices.Concat(t.Findings, t.Without) {
		if !slices.ContainsFunc(rule.Catalogue, func(r rule.Rule) bool { return r.ID == named.Text }) {
			return nil, fault.Usagef("%s:%d: there is no rule %q", path, named.Line, named.Text).Hintf("a rule of a plan, such as LP114")
		}
	}
	p, err := a.planOfTest(path, t)
	code, message := exitDone, ""
	if err == nil {
		err = answer(p)
	} else if t.Error == nil && t.Exit == nil {
		return nil, err
	}
	var v verdict
	switch {
	case err == nil:
	case errors.As(err, &v):
		code, message = v.code, v.message
	default:
		code, message = map[fault.Class]int{fault.Usage: exitUsage, fault.Tool: exitTool, fault.NoData: exitNotKnown}[fault.ClassOf(err)], err.Error()
	}
	var failures []string
	if t.Exit != nil && t.Exit.Text != strconv.Itoa(code) {
		failures = append(failures, at(t.Exit.Line, "exit is %d, not %s", code, shown(t.Exit.Text)))
	}
	if t.Error != nil && (message == "" || !strings.Contains(message, t.Error.Text)) {
		failures = append(failures, at(t.Error.Line, "the error is %q and does not contain %q", message, t.Error.Text))
	}
	if err != nil && v.code == 0 { // no plan at all
		for _, want := range t.Values {
			failures = append(failures, at(want.Line, "%s is not known: %s", shown(want.Key), shown(message)))
		}
		return failures, nil
	}
	values, err := planValues(p)
	if err != nil {
		return nil, err
	}
	for _, want := range t.Values {
		got, known := values[want.Key]
		if !known {
			return nil, fault.Usagef("%s:%d: a plan has no value %q", path, want.Line, want.Key).Hintf("one of %s", strings.Join(slices.Sorted(maps.Keys(values)), ", "))
		}
		ok, err := meets(got, want.Text)
		if err != nil {
			wrapped := fault.Usagef("%s:%d: %s: %w", path, want.Line, want.Key, err)
			wrapped.Hint = fault.HintOf(err)
			return nil, wrapped
		}
		if !ok {
			failures = append(failures, at(want.Line, "%s is %s, not %s", want.Key, got, shown(want.Text)))
		}
	}
	return append(failures, ruleFailures(p, t, at)...), nil
}

// ruleFailures compares the rules that speak.
func ruleFailures(p plan.Plan, t planfile.Test, at func(int, string, ...any) string) []string {
	spoke := map[string]string{}
	for _, f := range p.Findings {
		spoke[f.ID] = f.Message
	}
	var failures []string
	for _, want := range t.Findings {
		if _, ok := spoke[want.Text]; !ok {
			failures = append(failures, at(want.Line, "%s does not speak", shown(want.Text)))
		}
	}
	for _, unwanted := range t.Without {
		if message, ok := spoke[unwanted.Text]; ok {
			failures = append(failures, at(unwanted.Line, "%s speaks: %s", unwanted.Text, message))
		}
	}
	if t.Listed {
		for _, id := range slices.Sorted(maps.Keys(spoke)) {
			if !slices.ContainsFunc(t.Findings, func(e planfile.Expected) bool { return e.Text == id }) {
				failures = append(failures, at(t.Line, "%s speaks and is not among the findings: %s", id, spoke[id]))
			}
		}
	}
	return failures
}

// planOfTest plans a service of a plan file with the test's inputs on top, or
// the inputs alone.
func (a *app) planOfTest(path string, t planfile.Test) (plan.Plan, error) {
	var layers []input.Set
	name := t.Service
	if t.Plan.Path != "" {
		file, err := a.readPlanFile(t.Plan.Path)
		if err != nil {
			return plan.Plan{}, err
		}
		i := slices.IndexFunc(file.Services, func(s planfile.Service) bool { return s.Name == t.Service })
		if t.Service == "" && len(file.Services) == 1 {
			i = 0
		}
		if i < 0 {
			return plan.Plan{}, fault.Usagef("%s:%d: %s has no service %q", path, t.Plan.Line, t.Plan.Path, t.Service).Hintf("service: %s", file.Services[0].Name)
		}
		name = file.Services[i].Name
		layers = append(layers, file.Services[i].Defaults, file.Services[i].Own)
	}
	got, err := a.resolve(append(layers, t.Inputs)...)
	if err != nil {
		return plan.Plan{}, err
	}
	return makePlan(name, got, rule.Setup{})
}

// planValues are a plan's single values by the keys of its JSON document
// without the unit: ttl for ttl_seconds, as people write them.
func planValues(p plan.Plan) (map[string]string, error) {
	text, err := json.Marshal(p.Document())
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for key, raw := range fields {
		name, isTime := strings.CutSuffix(key, "_seconds")
		value := string(raw)
		switch {
		case value == "null":
			value = "none"
		case isTime:
			var s plan.Seconds
			if err := s.UnmarshalJSON(raw); err != nil {
				return nil, err
			}
			value = dur.Format(time.Duration(s))
		case value[0] == '[' || key == "schema":
			continue
		case value[0] == '"':
			if value, err = strconv.Unquote(value); err != nil {
				return nil, err
			}
		}
		out[name] = value
	}
	return out, nil
}

// comparisons are the signs before an expected value; none is equality.
var comparisons = []struct {
	sign  string
	holds func(order int) bool
}{
	{"<=", func(o int) bool { return o <= 0 }}, {">=", func(o int) bool { return o >= 0 }},
	{"<", func(o int) bool { return o < 0 }}, {">", func(o int) bool { return o > 0 }},
}

// meets compares a value with what is wanted of it: "3s", "<= 4s", "none".
func meets(got, want string) (bool, error) {
	for _, c := range comparisons {
		limit, signed := strings.CutPrefix(want, c.sign)
		if !signed {
			continue
		}
		order, err := compare(got, strings.TrimSpace(limit))
		return err == nil && got != "none" && c.holds(order), err
	}
	if got == want {
		return true, nil
	}
	if got == "none" || want == "none" || got == "true" || got == "false" {
		return false, nil
	}
	order, err := compare(got, want)
	if err != nil && !numeric(got) {
		return false, nil // words differ
	}
	return err == nil && order == 0, err
}

// numeric reports whether a value is a duration or a number.
func numeric(text string) bool {
	return strings.HasPrefix(text, "-") || text != "" && text[0] >= '0' && text[0] <= '9'
}

// compare orders two durations, or two numbers.
func compare(got, want string) (int, error) {
	if a, err := strconv.ParseFloat(got, 64); err == nil {
		b, err := strconv.ParseFloat(want, 64)
		if err != nil {
			return 0, fault.Usagef("%q is no number", want)
		}
		return cmp.Compare(a, b), nil
	}
	if !numeric(got) {
		if got == "none" {
			_, err := dur.Parse(want)
			return 0, err
		}
		return 0, fault.Usagef("%q cannot be compared with %q", got, want)
	}
	b, err := signed(want)
	if err != nil {
		return 0, err
	}
	a, err := signed(got)
	return cmp.Compare(a, b), err
}

// signed reads a duration that may be negative, as T_max can be.
func signed(text string) (time.Duration, error) {
	rest, negative := strings.CutPrefix(text, "-")
	d, err := dur.Parse(rest)
	if negative {
		d = -d
	}
	return d, err
}

func suitesOf(results []tested) []report.Suite {
	var suites []report.Suite
	for _, r := range results {
		if len(suites) == 0 || suites[len(suites)-1].Name != filepath.ToSlash(r.file) {
			suites = append(suites, report.Suite{Name: filepath.ToSlash(r.file)})
		}
		c := report.Case{Name: r.test.Name}
		for _, failure := range r.failures {
			c.Failures = append(c.Failures, report.Failure{Type: "expectation", Message: failure, Text: failure})
		}
		s := &suites[len(suites)-1]
		s.Cases = append(s.Cases, c)
	}
	return suites
}

// testedSchema is the JSON form of the results.
const testedSchema = "lockplan/tests/v1"

type (
	testedDoc struct {
		Schema string         `json:"schema"`
		Passed bool           `json:"passed"`
		Tests  []testedRowDoc `json:"tests"`
	}
	testedRowDoc struct {
		File     string   `json:"file"`
		Line     int      `json:"line"`
		Name     string   `json:"name"`
		Passed   bool     `json:"passed"`
		Failures []string `json:"failures"`
	}
)

func (a *app) writeTested(results []tested) error {
	doc := testedDoc{Schema: testedSchema, Passed: true, Tests: []testedRowDoc{}}
	for _, r := range results {
		doc.Passed = doc.Passed && len(r.failures) == 0
		doc.Tests = append(doc.Tests, testedRowDoc{r.file, r.test.Line, r.test.Name, len(r.failures) == 0, append([]string{}, r.failures...)})
	}
	rows := [][]string{}
	for _, row := range doc.Tests {
		rows = append(rows, []string{row.File, strconv.Itoa(row.Line), row.Name, map[bool]string{true: "ok", false: "FAIL"}[row.Passed], strings.Join(row.Failures, "; ")})
	}
	head := []string{"file", "line", "test", "result", "failures"}
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(doc)
	case "csv":
		return a.writeCSV(append([][]string{head}, rows...))
	case "markdown":
		a.markdownTable(head, rows)
		return nil
	}
	passed := 0
	for _, row := range doc.Tests {
		if row.Passed {
			passed++
			a.out.WriteString("ok    " + shown(row.Name) + "\n")
			continue
		}
		a.out.WriteString("FAIL  " + shown(row.Name) + "\n")
		for _, failure := range row.Failures {
			a.writeWrapped("      ", shown(failure))
		}
	}
	fmt.Fprintf(a.out, "\n%d passed, %d failed\n", passed, len(doc.Tests)-passed)
	return nil
}
