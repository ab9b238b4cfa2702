package calc

import (
	"testing"
	"time"
)

// etcd's client looks every 500 ms for sessions that are due: a real lease of
// 2 s was renewed every 1.00 s, not every 0.67 s, and a stop of 1.2 s lost it.
func TestLate(t *testing.T) {
	l := Lease{TTL: 2 * time.Second, Interval: 2 * time.Second / 3, Call: 500 * time.Millisecond, Spacing: 500 * time.Millisecond, Late: 500 * time.Millisecond}
	env := Env{Margin: 11 * time.Millisecond}
	// 2 s - 0.667 s - 0.5 s - 0.011 s
	if got := l.PauseSurvived(env).Round(time.Millisecond); got != 822*time.Millisecond {
		t.Errorf("a pause of %v is survived", got)
	}
	// R1: T/3 + 0.5 + Tr + P + M = T, so T = 3/2 (0.5 + 0.011 + 1.7 + 0.011) = 3.333 s.
	in := Inputs{Pause: Claim(1700*time.Millisecond, "t"), Margin: Claim(11*time.Millisecond, "t"), Mode: Renewed, FailuresGiven: true, Library: stepped{}}
	resolved, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if s := Solve(resolved); s.TTLMin != 3333*time.Millisecond {
		t.Errorf("T_min %v", s.TTLMin)
	}
}

type stepped struct{ Generic }

func (stepped) Traits() Traits {
	t := Generic{}.Traits()
	t.Late = 500 * time.Millisecond
	return t
}
