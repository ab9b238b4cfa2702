package rule

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
)

// Whatever the values, rules answer: nothing overflows into a clean verdict
// of nonsense, divides by zero or panics, and every text is complete.
func TestRulesTakeAnyValue(t *testing.T) {
	anything := rapid.SampledFrom([]time.Duration{0, 1, time.Millisecond, time.Second, time.Hour, math.MaxInt64 / 2, math.MaxInt64 - 1, math.MaxInt64})
	bound := rapid.Custom(func(t *rapid.T) calc.Bound {
		return calc.Bound{Value: anything.Draw(t, "value"), Known: rapid.Bool().Draw(t, "known"), Kind: rapid.SampledFrom([]calc.Kind{calc.Claimed, calc.Observed, calc.Assumed, calc.Extrapolated}).Draw(t, "kind")}
	})
	rapid.Check(t, func(t *rapid.T) {
		b := func(name string) calc.Bound { return bound.Draw(t, name) }
		in := calc.Inputs{
			Hold: b("hold"), HoldP50: b("p50"), HoldMean: b("mean"), Pause: b("pause"), Margin: b("margin"), RTO: b("rto"),
			Deadline: b("deadline"), Work: b("work"), Reply: b("reply"), Confirm: b("confirm"), QueueSLA: b("sla"), Detect: b("detect"),
			MaxHold: b("max hold"), Backoff: b("backoff"), PauseIncluded: rapid.Bool().Draw(t, "included"),
			Mode:     rapid.SampledFrom([]calc.Mode{calc.Fixed, calc.Renewed, calc.Auto}).Draw(t, "mode"),
			Failures: rapid.SampledFrom([]int{0, 1, 1 << 30}).Draw(t, "k"), FailuresGiven: true,
			Drift: rapid.SampledFrom([]calc.Ratio{0, calc.One / 2, calc.One - 1}).Draw(t, "drift"), DriftGiven: true,
			AcquireRate: rapid.SampledFrom([]float64{0, 1e-300, 1, 1e300}).Draw(t, "rate"),
			Contenders:  rapid.SampledFrom([]int{0, 1, 2, math.MaxInt}).Draw(t, "contenders"),
		}
		in, err := in.Resolve()
		if err != nil {
			return
		}
		s := calc.Solve(in)
		plan := &Case{In: in, Planned: true, Solution: s, HasLease: s.Solved, Lease: s.Lease, Acquire: calc.SolveAcquire(in, 0)}
		if s.Solved {
			plan.MaxHold = calc.MaxHold(in, s)
		}
		run := &Case{In: in, HasLease: true, MaxHold: in.MaxHold, AcquireP99: b("acquire p99"), Lease: calc.Lease{
			TTL: anything.Draw(t, "T"), Interval: anything.Draw(t, "I"), Call: anything.Draw(t, "Tr"),
			Spacing: anything.Draw(t, "r"), Backoff: anything.Draw(t, "b"),
		}, Setup: Setup{
			TTL: b("ttl"), Wait: b("wait"), Command: b("command"), Attempt: b("attempt"), StopWork: b("stop work"), StopTime: b("stop time"),
			ClockSkew: b("skew"), Failover: b("failover"), Outage: b("outage"), FirewallIdle: b("firewall"), Idle: b("idle"),
			Period: b("period"), AtLeast: b("at least"), AtMost: b("at most"), Grace: b("grace"), Drain: b("drain"), KillAfter: b("kill"),
			Visibility: b("visibility"), Spent: b("spent"), Unlock: b("unlock"),
			Layers: []Layer{{Name: "a", Timeout: b("outer"), Worst: b("outer worst")}, {Name: "b", Timeout: b("inner")}},
			Pool:   Pool{Size: 1 << 40, MinIdle: 1, Pods: 1 << 40, MaxClients: 1, Threads: 1},
		}}
		for _, c := range []*Case{plan, run} {
			found, _ := Run(Catalogue, c)
			for _, f := range found {
				if f.Message == "" || f.Fix == "" {
					t.Fatalf("%s: an empty message or fix", f.ID)
				}
			}
		}
	})
}
