package rule

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
)

// A plan keeps the rules about leases, and so does its lease when somebody
// runs it and has it checked.
func TestPlansKeepTheRules(t *testing.T) {
	about := Catalogue[:0:0]
	for _, r := range Catalogue {
		// LP103 says that there is no plan, LP116 that the percentiles are far
		// apart; both are about the inputs.
		if r.ID < "LP2" && r.ID != "LP103" && r.ID != "LP116" {
			about = append(about, r)
		}
	}
	span := func(t *rapid.T, name string, max time.Duration) calc.Bound {
		return calc.Claim(time.Duration(rapid.Int64Range(1, int64(max/time.Microsecond)).Draw(t, name))*time.Microsecond, "test")
	}
	rapid.Check(t, func(t *rapid.T) {
		in := calc.Inputs{
			Hold: span(t, "hold", time.Hour), Pause: span(t, "pause", time.Minute), Margin: span(t, "margin", 5*time.Second),
			Mode:     rapid.SampledFrom([]calc.Mode{calc.Fixed, calc.Renewed, calc.Auto}).Draw(t, "mode"),
			Failures: rapid.IntRange(0, 4).Draw(t, "k"), FailuresGiven: true,
			Ratio: calc.Ratio(rapid.IntRange(3, 8).Draw(t, "n")) * calc.One, RatioGiven: true,
			Drift: calc.Ratio(rapid.IntRange(0, 10_000_000).Draw(t, "drift")), DriftGiven: true,
		}
		if rapid.Bool().Draw(t, "has RTO") {
			in.RTO = span(t, "RTO", 2*time.Hour)
		}
		if rapid.Bool().Draw(t, "retries at once") {
			in.Backoff = span(t, "backoff", time.Second)
		}
		in, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		s := calc.Solve(in)
		if !s.Solved {
			return
		}
		plan := &Case{In: in, Planned: true, Solution: s, HasLease: true, Lease: s.Lease, MaxHold: calc.MaxHold(in, s)}
		run := &Case{In: in, HasLease: true, Lease: s.Lease, MaxHold: plan.MaxHold}
		run.Setup.TTL = calc.Claim(s.Lease.TTL, "test")
		for _, c := range []*Case{plan, run} {
			found, _ := Run(about, c)
			if worst, _ := finding.Worst(found); worst == finding.Error {
				t.Fatalf("%+v (planned %v): %v", s.Lease, c.Planned, found)
			}
		}
	})
}
