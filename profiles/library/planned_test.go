package library

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
)

// planOn is the plan of a service on a library, as ttl and plan make it.
func planOn(t interface{ Fatal(...any) }, in calc.Inputs) plan.Plan {
	p, err := plan.Make(in, plan.Options{Rules: rule.Catalogue, Express: Planned(in.Library)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The pause that a plan says is survived is not longer than what the interval
// leaves that each client reckons, in the arithmetic of its source.
func TestPauseByTheClientsOwnInterval(t *testing.T) {
	millis := func(d time.Duration) time.Duration { return d / time.Millisecond }
	java := func(ttl time.Duration) time.Duration { // ClientCnxn: readTimeout = negotiated * 2 / 3, a ping at half of it
		return millis(ttl) * 2 / 3 / 2 * time.Millisecond
	}
	for name, interval := range map[string]func(time.Duration) time.Duration{
		"zookeeper": java, "curator": java,
		"go-zookeeper": func(ttl time.Duration) time.Duration { return ttl * 2 / 3 / 2 },       // Conn.setTimeouts
		"etcd":         func(ttl time.Duration) time.Duration { return ttl/3.0 + etcdTick },    // lessor.recvKeepAlive, and the sender's step
		"consul":       func(ttl time.Duration) time.Duration { return ttl / 2 },               // Session.RenewPeriodic
		"redisson":     func(ttl time.Duration) time.Duration { return millis(ttl) / 3 * 1e6 }, // RenewalTask: internalLockLeaseTime / 3
	} {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			in := services(t, lib)
			in.Mode = calc.Renewed
			s := calc.Solve(in)
			if !s.Solved {
				t.Skip("no plan")
			}
			exact := s.Lease.TTL - in.Margin.Value - interval(s.Lease.TTL)
			if got := s.Lease.PauseSurvived(in.Env()); got > exact {
				t.Fatalf("%s: a pause of %v is said to be survived by %v, %v is", name, got, s.Lease.TTL, exact)
			}
		})
	}
}

// A plan on a library is the configuration that emit writes: the same TTL, and
// nothing better than what check finds in it; where emit refuses there is no
// plan.
func TestPlanIsWhatIsEmitted(t *testing.T) {
	for _, name := range append(Names(), "redisson@3.43", "redisson@3.47", "spring-integration@6.3") {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plans := 0
			rapid.Check(t, func(t *rapid.T) {
				in := services(t, lib)
				model, err := plan.Make(in, plan.Options{Rules: rule.Catalogue})
				if err != nil || !model.Holds() {
					t.Skip("no plan")
				}
				fit, err := Fit(lib, Wanted{In: in, Lease: model.Solution.Lease, Acquire: model.Acquire, MaxHold: calc.MaxHold(in, model.Solution)})
				if err != nil {
					if _, same := Planned(lib)(in, model.Solution.Lease, model.Acquire, calc.MaxHold(in, model.Solution)); same == nil {
						t.Fatalf("emit refuses, a plan is made: %v", err)
					}
					return
				}
				plans++
				p := planOn(t, in)
				c := fit.Verdict.Consequences
				if !p.Feasible || *p.TTL != *c.TTL {
					t.Fatalf("planned %v, emitted %v", p.TTL, *c.TTL)
				}
				for what, pair := range map[string][2]*time.Duration{"outage": {p.OutageSurvived, c.Outage}, "pause": {p.PauseSurvived, c.Pause}} {
					if pair[0] != nil && pair[1] != nil && *pair[0] > *pair[1] {
						t.Fatalf("%s of %v is planned, of %v survived", what, *pair[0], *pair[1])
					}
				}
				if (p.TakeoverWorst == nil) != (c.TakeoverWorst == nil) {
					t.Fatalf("takeover %v of %v", p.TakeoverWorst, c.TakeoverWorst)
				}
				if p.TakeoverWorst != nil && *p.TakeoverWorst < *c.TakeoverWorst || p.RenewFailures != nil && *p.RenewFailures > *c.Failures {
					t.Fatalf("takeover %v of %v, failures %v of %v", *p.TakeoverWorst, *c.TakeoverWorst, p.RenewFailures, c.Failures)
				}
				if p.TTLWhy == "" && *p.TTL != *model.TTL {
					t.Fatalf("%v instead of %v, and no word why", *p.TTL, *model.TTL)
				}
			})
			if plans < 20 && !testing.Short() {
				t.Errorf("only %d plans", plans)
			}
		})
	}
}

// The terms that are summed add up to TTL_min with a library's own shortest
// call, timer and interval, too.
func TestTermsOfLibrariesAddUp(t *testing.T) {
	for _, name := range append(Names(), "redisson@3.43") {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			p, err := plan.Make(services(t, lib), plan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if p.TTLMin == nil {
				return
			}
			var total time.Duration
			for _, term := range p.Terms {
				if term.Summed {
					total += term.Bound.Value
				}
			}
			if total != *p.TTLMin {
				t.Fatalf("%s: the terms add up to %s, TTL_min is %s", name, total, *p.TTLMin)
			}
		})
	}
}
