package library

import (
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// text/template reads the same notation: every template of every library,
// filled by both for many plans, must come out the same.
func TestFillAgainstTextTemplate(t *testing.T) {
	filled := 0
	for _, name := range Names() {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for form, text := range lib.Sheet().Code {
			theirs, err := template.New(name).Option("missingkey=error").Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, mode := range []calc.Mode{calc.Fixed, calc.Renewed} {
				for _, deadline := range []time.Duration{0, time.Minute} {
					in := calc.Inputs{Library: lib, Mode: mode, Hold: calc.Claim(800*time.Millisecond, "--p999"), HoldP99: calc.Claim(600*time.Millisecond, "--p99"),
						Pause: calc.Claim(500*time.Millisecond, "--pause"), Margin: calc.Claim(200*time.Millisecond, "--margin"), FailuresGiven: true}
					if deadline > 0 {
						in.Deadline, in.Work, in.Reply = calc.Claim(deadline, "--deadline"), calc.Claim(time.Second, "--work"), calc.Claim(100*time.Millisecond, "--reply")
					}
					in, err := in.Resolve()
					if err != nil {
						continue
					}
					s := calc.Solve(in)
					if !s.Solved {
						continue
					}
					fit, err := Fit(lib, Wanted{In: in, Lease: s.Lease, Acquire: calc.SolveAcquire(in, 0), MaxHold: calc.MaxHold(in, s)})
					if err != nil {
						continue
					}
					c := code{fit: fit, ID: "Stock", Version: fit.Library}
					var want strings.Builder
					if err := theirs.Execute(&want, c); err != nil {
						t.Fatal(err)
					}
					if got, err := fill(text, c); err != nil || got != want.String() {
						t.Errorf("%s as %s, %s: %v\n%s\ntext/template says\n%s", name, form, mode, err, got, want.String())
					}
					filled++
				}
			}
		}
	}
	if filled < 20 {
		t.Errorf("only %d files were filled", filled)
	}
}

func TestFillRefuses(t *testing.T) {
	for _, text := range []string{"{{", "{{.Nope}}", "{{if .Has \"x\"}}", "{{end}}", "{{else}}", "{{.Raw \"x\"}}", "{{eq (.Raw \"x\"}}", "{{.Raw \"x}}", "{{}}"} {
		if got, err := fill(text, code{}); err == nil {
			t.Errorf("%q is filled as %q", text, got)
		}
	}
}
