package library

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/input"
)

// judged is check's verdict on a library under settings as --set takes them,
// "timeout=3000", and flags of check in one word, "--rto=15s".
func judged(t *testing.T, name string, args ...string) Verdict {
	t.Helper()
	v, err := judgement(name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return v
}

// judgement is judged with the error of what cannot be read.
func judgement(name string, args ...string) (Verdict, error) {
	lib, err := Get(name)
	if err != nil {
		return Verdict{}, err
	}
	var setup rule.Setup
	around := map[string]*calc.Bound{
		"--wait": &setup.Wait, "--clock-skew": &setup.ClockSkew, "--failover": &setup.Failover, "--outage": &setup.Outage,
		"--period": &setup.Period, "--drain": &setup.Drain, "--grace": &setup.Grace,
		"--stop-work": &setup.StopWork, "--stop-time": &setup.StopTime,
	}
	said, pairs := input.Set{}, []string(nil)
	for _, arg := range args {
		flag, text, _ := strings.Cut(arg, "=")
		b, surrounds := around[flag]
		switch {
		case surrounds:
			d, err := dur.Parse(text)
			if err != nil {
				return Verdict{}, err
			}
			*b = calc.Claim(d, flag)
		case strings.HasPrefix(flag, "--"):
			said[flag[2:]] = input.Value{Texts: []string{text}, Source: flag}
		default:
			pairs = append(pairs, arg)
		}
	}
	values, err := Pairs(lib, pairs)
	if err != nil {
		return Verdict{}, err
	}
	got, err := input.Resolve(said, input.Outside{HoldOptional: true})
	if err != nil {
		return Verdict{}, err
	}
	got.Inputs.Library = lib
	in, err := got.Inputs.Resolve()
	if err != nil {
		return Verdict{}, err
	}
	return Judge(&Running{Library: lib, Values: values, In: in, Setup: setup, MaxHold: in.MaxHold})
}

// severityOf is the worst severity that a rule gives a configuration, "" where
// it says nothing.
func severityOf(v Verdict, id string) string {
	var own []finding.Finding
	for _, f := range v.Findings {
		if f.ID == id {
			own = append(own, f)
		}
	}
	worst, any := finding.Worst(own)
	if !any {
		return ""
	}
	return worst.String()
}

// ruleEdge is a configuration and the severity that a rule gives it.
type ruleEdge struct {
	want    string // "" is silence
	library string // with its version
	args    []string
}

// ruleEdges holds a rule against configurations on both sides of its condition.
func ruleEdges(t *testing.T, id string, rows []ruleEdge) {
	t.Helper()
	for _, row := range rows {
		if got := severityOf(judged(t, row.library, row.args...), id); got != row.want {
			t.Errorf("%s %s: %s is %q, want %q", row.library, strings.Join(row.args, " "), id, got, row.want)
		}
	}
}
