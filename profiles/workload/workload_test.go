package workload

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/profiles/input"
)

// wanted are the kinds of work that the requirements name (A20).
var wanted = []string{"inventory", "flash-sale-order", "payment-capture", "cron-job", "cache-rebuild",
	"leader-election", "batch-step", "migration-30m", "cross-region"}

func TestEveryKindOfWorkHasAProfile(t *testing.T) {
	for _, name := range wanted {
		if _, err := Find(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := Find("nope"); err == nil {
		t.Error("an unknown profile is found")
	}
}

// A profile that cannot be planned at both ends of the range it says it fits,
// with an everyday pause, is wrong.
func TestProfilesPlanAtBothEnds(t *testing.T) {
	for _, p := range All() {
		if p.About == "" || p.Why == "" || p.Fits.From <= 0 || p.Fits.From >= p.Fits.To {
			t.Errorf("%s: incomplete", p.Name)
		}
		for _, preset := range p.Inputs {
			if preset.Why == "" {
				t.Errorf("%s: %s has no reason", p.Name, preset.Key)
			}
		}
		for _, hold := range []time.Duration{p.Fits.From, p.Fits.To} {
			said := input.Set{}
			for key, text := range map[string]string{"p99": dur.Format(hold), "p999": dur.Format(hold), "pause": "1.5s"} {
				said[key] = input.Value{Texts: []string{text}, Source: "--" + key}
			}
			got, err := input.Resolve(input.Stack(p.Set(), said), input.Outside{})
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			in, err := got.Inputs.Resolve()
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			if s := calc.Solve(in); !s.Solved {
				t.Errorf("%s: no plan for a hold of %s", p.Name, dur.Format(hold))
			}
			if wait := calc.SolveAcquire(in, 0); wait.Known && wait.Wait <= 0 && hold == p.Fits.From {
				t.Errorf("%s: no time to wait for the lock at a hold of %s", p.Name, dur.Format(hold))
			}
			if found := p.Misfit(in); len(found) != 0 {
				t.Errorf("%s: %s is outside of its own range", p.Name, dur.Format(hold))
			}
		}
	}
}

func TestMisfit(t *testing.T) {
	p, err := Find("inventory")
	if err != nil {
		t.Fatal(err)
	}
	in := calc.Inputs{Percentile: 0.999, Hold: calc.Claim(30*time.Minute, "--p999")}
	if found := p.Misfit(in); len(found) != 1 || found[0].ID != "LP120" {
		t.Errorf("a 30-minute hold under the 20 ms profile gives %v", found)
	}
}
