package monitor

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
)

// The spellings are those of client_golang's text form, OpenMetrics and
// Prometheus 3 (5.0), and Go's shortest form of large and small floats.
func TestEdgePattern(t *testing.T) {
	for _, c := range []struct {
		edge, unit time.Duration
		yes, no    []string
	}{
		{5 * time.Second, time.Second, []string{"5", "5.0"}, []string{"50", "5.5", "15"}},
		{800 * time.Millisecond, time.Second, []string{"0.8"}, []string{"0.80001", "0x8", "10.8"}},
		{800 * time.Millisecond, time.Millisecond, []string{"800", "800.0"}, []string{"0.8"}},
		{30 * time.Minute, time.Microsecond, []string{"1800000000", "1.8e+09"}, []string{"1.8e+08"}},
		{10 * time.Microsecond, time.Second, []string{"0.00001", "1e-05"}, []string{"1e-06"}},
		{1500 * time.Microsecond, time.Millisecond, []string{"1.5"}, []string{"15", "1x5"}},
	} {
		// A matcher of Prometheus is anchored.
		pattern := regexp.MustCompile("^(?:" + edgePattern(c.edge, c.unit) + ")$")
		for _, le := range c.yes {
			if !pattern.MatchString(le) {
				t.Errorf("%s in %s: %s does not match %s", c.edge, c.unit, pattern, le)
			}
		}
		for _, le := range c.no {
			if pattern.MatchString(le) {
				t.Errorf("%s in %s: %s matches %s", c.edge, c.unit, pattern, le)
			}
		}
	}
}

func TestRest(t *testing.T) {
	for q, want := range map[float64]string{0.999: "0.001", 0.9999: "0.0001", 0.99: "0.01", 0.5: "0.5", 0.9995: "0.0005"} {
		if got := rest(q); got != want {
			t.Errorf("1 - %v is %s, want %s", q, got, want)
		}
	}
}

func TestParseSeries(t *testing.T) {
	hold, lost := contract[2], contract[6]
	if hold.name != "lock_hold_seconds" || lost.name != "lock_leases_lost_total" {
		t.Fatal("the contract has another order")
	}
	for _, c := range []struct {
		m            metric
		said, bucket string
		unit         time.Duration
	}{
		{hold, "x_seconds", `x_seconds_bucket{lock="s"}`, time.Second},
		{hold, "x_seconds_bucket", `x_seconds_bucket{lock="s"}`, time.Second},
		{hold, "x_milliseconds{}", `x_milliseconds_bucket`, time.Millisecond},
		{hold, `x{a="b",c=~"d|e"} us`, `x_bucket{a="b",c=~"d|e"}`, time.Microsecond},
		{lost, `x{a="b"}`, `x_bucket{a="b"}`, 0},
	} {
		s, err := parseSeries(c.m, c.said, "s")
		if err != nil || s.selector("_bucket") != c.bucket || s.unit != c.unit {
			t.Errorf("%q: %s, %s, %v", c.said, s.selector("_bucket"), s.unit, err)
		}
	}
}

func FuzzParseSeries(f *testing.F) {
	f.Add("x_seconds")
	f.Add(`x{a="b"} ms`)
	f.Add("x{")
	f.Fuzz(func(t *testing.T, said string) {
		for _, m := range contract {
			s, err := parseSeries(m, said, "s")
			if err == nil && !s.absent && s.name == "" {
				t.Errorf("%q: a series without a name", said)
			}
		}
	})
}

// Every feasible plan, fixed or renewed, gives rules that a YAML reader takes
// and a dashboard that a JSON reader takes, and every alert has its clock.
func TestEveryPlanCanBeWatched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := func(name string, most int) calc.Bound {
			return calc.Claim(time.Duration(rapid.IntRange(1, most).Draw(t, name))*time.Microsecond, name)
		}
		in := calc.Inputs{Service: rapid.String().Draw(t, "service"), Hold: span("hold", 1e8), Pause: span("pause", 1e7), Margin: span("margin", 1e6),
			Mode: rapid.SampledFrom([]calc.Mode{calc.Fixed, calc.Renewed}).Draw(t, "mode"), Percentile: rapid.SampledFrom([]float64{0.5, 0.99, 0.999, 0.9999, 0.12345}).Draw(t, "q")}
		if rapid.Bool().Draw(t, "deadline") {
			in.Deadline, in.Work = span("deadline", 1e7), span("work", 1e6)
		}
		p, err := plan.Make(in, plan.Options{Rules: rule.Catalogue})
		if err != nil || !p.Feasible || !p.Enough() {
			return
		}
		w, err := Make(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var rules, board, contract bytes.Buffer
		if err := WriteRules(&rules, []Watch{w}); err != nil {
			t.Fatal(err)
		}
		if err := WriteDashboard(&board, []Watch{w}); err != nil || !json.Valid(board.Bytes()) {
			t.Fatalf("%v: %s", err, board.String())
		}
		if err := WriteContract(&contract, []Watch{w}); err != nil {
			t.Fatal(err)
		}
		var file ruleFile
		if err := yaml.Unmarshal(rules.Bytes(), &file); err != nil {
			t.Fatalf("%v\n%s", err, rules.String())
		}
		if got := len(file.Groups[0].Rules); got != len(w.Records)+len(w.Alerts) {
			t.Errorf("%d rules of %d", got, len(w.Records)+len(w.Alerts))
		}
		for _, a := range w.Alerts {
			if a.Clock == "" || a.Threshold == "" || a.Summary == "" || strings.Contains(a.Expr, "NaN") || strings.Contains(a.Expr, "Inf") {
				t.Errorf("%+v", a)
			}
		}
	})
}
