package library

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
)

// A plan for a library whose timer starts when a call ended has room for that
// already: what is emitted has the TTL of the plan. Only a call too short for
// Redisson's two sends of 100 ms and its timers, which fire late, needs a
// longer one.
func TestAfterCallNeedsNoLongerTTL(t *testing.T) {
	for _, name := range []string{"redisson", "redisson@3.47", "spring-integration"} {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			ms := func(name string, least, most int) calc.Bound {
				return calc.Claim(time.Duration(rapid.IntRange(least, most).Draw(t, name))*time.Millisecond, "--"+name)
			}
			in, err := calc.Inputs{
				Library: lib, Mode: calc.Renewed, Hold: ms("p999", 5, 60_000), Pause: ms("pause", 0, 5000), Margin: ms("margin", 450, 3000),
				Failures: rapid.IntRange(0, 1).Draw(t, "failures"), FailuresGiven: true, Fencing: calc.FencingYes,
				Drift: calc.Ratio(rapid.IntRange(0, 10_000_000).Draw(t, "drift")), DriftGiven: true,
			}.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			s := calc.Solve(in)
			if !s.Solved {
				t.Fatalf("not solved: %+v", in)
			}
			got, err := Fit(lib, Wanted{In: in, Lease: s.Lease, MaxHold: calc.MaxHold(in, s)})
			if err != nil {
				t.Fatal(err)
			}
			if got.Raised != nil && !strings.Contains(got.Why, "a cold JVM") {
				t.Fatalf("%s: a TTL of %v is raised to %v", name, *got.Raised, *got.Verdict.Consequences.TTL)
			}
		})
	}
}

// Worked: P 1.5 s, M and Tr 700 ms, n 3, k 1: a third each for the wait and
// for the one after a failure, and three calls: T = 3 (1.5 + 0.7 + 3 x 0.7).
func TestAfterCallWorked(t *testing.T) {
	for _, name := range []string{"redisson", "spring-integration"} {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		in, err := calc.Inputs{Library: lib, Pause: calc.Claim(1500*time.Millisecond, ""), Margin: calc.Claim(700*time.Millisecond, ""), Mode: calc.Renewed}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if s := calc.Solve(in); s.TTLMin != 12900*time.Millisecond {
			t.Errorf("%s: T_min %v, want 12.9s", name, s.TTLMin)
		}
	}
}
