package calc

import (
	"testing"
	"time"
)

// A library that gives up after one failed renewal has no lease that tolerates
// one, and survives no outage.
func TestOneChance(t *testing.T) {
	in := Inputs{Hold: Claim(time.Minute, "t"), Pause: Claim(time.Second, "t"), Margin: Claim(100*time.Millisecond, "t"), Mode: Renewed, FailuresGiven: true, Library: oneChance{}}
	for k, want := range []bool{true, false} {
		in.Failures = k
		resolved, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		s := Solve(resolved)
		if s.Solved != want {
			t.Errorf("%d failures: %+v", k, s)
		}
		if s.Solved && (s.Lease.FailuresTolerated(resolved.Env()) != 0 || s.Lease.OutageSurvived(resolved.Env()) != 0) {
			t.Errorf("%+v", s.Lease)
		}
	}
}

type oneChance struct{ Generic }

func (oneChance) Traits() Traits {
	t := Generic{}.Traits()
	t.OneChance = true
	return t
}
