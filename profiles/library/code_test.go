package library

import (
	"go/format"
	"slices"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Emitted Go is as gofmt would have it: nobody's commit changes it again.
func TestGoIsFormatted(t *testing.T) {
	for _, name := range Names() {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(lib.Sheet().Formats, "go") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			in, err := calc.Inputs{Library: lib, Hold: calc.Claim(20*time.Second, "--p999"), HoldP99: calc.Claim(12*time.Second, "--p99"), Fencing: calc.FencingYes,
				Pause: calc.Claim(time.Second, "--pause"), RTT: calc.Claim(5*time.Millisecond, "--rtt"), FailuresGiven: true, // none to survive
				Deadline: calc.Claim(4*time.Minute, "--deadline"), Work: calc.Claim(20*time.Second, "--work")}.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			s := calc.Solve(in)
			fit, err := Fit(lib, Wanted{In: in, Lease: s.Lease, Acquire: calc.SolveAcquire(in, 0), MaxHold: calc.MaxHold(in, s)})
			if err != nil {
				t.Fatal(err)
			}
			text, err := Render(fit, "shop", "go", "")
			if err != nil {
				t.Fatal(err)
			}
			if want, err := format.Source([]byte(text)); err != nil || string(want) != text {
				t.Errorf("%v\n%s\nwant\n%s", err, text, want)
			}
		})
	}
}
