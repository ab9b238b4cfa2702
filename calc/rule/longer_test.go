package rule

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
)

// ties is a library that renews ratio times a TTL.
type ties struct {
	calc.Generic
	ratio calc.Ratio
	step  time.Duration
}

func (l ties) Traits() calc.Traits {
	return calc.Traits{Quantum: max(l.step, time.Millisecond), IntervalQuantum: time.Millisecond, Ratio: l.ratio * calc.One}
}

// At the TTL of the hint the rule is content, however the library rounds its
// interval; one step below it is not.
func TestTheHintOfATiedIntervalIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := func(name string, least, most time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(int64(least), int64(most)).Draw(t, name))
		}
		ratio := rapid.IntRange(2, 6).Draw(t, "n")
		step := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second}).Draw(t, "step")
		in := calc.Inputs{
			Library: ties{ratio: calc.Ratio(ratio), step: step},
			Pause:   calc.Claim(span("pause", 0, 20*time.Second), "test"), Margin: calc.Claim(span("margin", 0, 2*time.Second), "test"),
			Failures: rapid.IntRange(0, 3).Draw(t, "k"), FailuresGiven: true,
		}
		in, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		kind := rapid.SampledFrom([]string{"next tick", "after the call", "again"}).Draw(t, "kind")
		call, backoff := span("call", 0, 3*time.Second), span("backoff", 0, 2*time.Second)
		at := func(ttl time.Duration, whole bool) *Case {
			l := calc.Lease{TTL: ttl, Interval: ttl / time.Duration(ratio), Call: call}
			if whole {
				l.Interval = l.Interval.Truncate(time.Millisecond)
			}
			switch l.Spacing = l.Interval; kind {
			case "after the call":
				l.AfterCall, l.Spacing = true, l.Interval+call
			case "again":
				l.Spacing = call + backoff
			}
			c := &Case{In: in, HasLease: true, Lease: l}
			c.Setup.ClockSkew = calc.Claim(2*time.Second, "test")
			c.Setup.Outage = calc.Claim(30*time.Second, "test")
			return c
		}
		c := at(span("TTL", 10, 30_000)*step, rapid.Bool().Draw(t, "whole"))
		if kind == "again" && c.Lease.Spacing == c.Lease.Interval {
			return // no telling which it is
		}
		if !c.tied() {
			t.Fatal("not tied")
		}
		for _, r := range []struct {
			rule Rule
			does func(l calc.Lease) bool
		}{
			{LP109, func(l calc.Lease) bool { return l.FailuresTolerated(in.Env()) >= in.Failures }},
			{LP111, func(l calc.Lease) bool { return l.OutageSurvived(in.Env()) >= 30*time.Second }},
		} {
			if found, _ := Run([]Rule{r.rule}, c); len(found) == 0 {
				continue
			}
			ttl := c.leastTied(r.does)
			if ttl == 0 { // none is, as R1 and C2 have it: a long one neither
				if found, _ := Run([]Rule{r.rule}, at(1<<20*time.Second, false)); len(found) == 0 {
					t.Fatalf("%s: no TTL of those that do", r.rule.ID)
				}
				continue
			}
			contents := func(ttl time.Duration) bool {
				exact, _ := Run([]Rule{r.rule}, at(ttl, false))
				whole, _ := Run([]Rule{r.rule}, at(ttl, true))
				return len(exact)+len(whole) == 0
			}
			if ttl%step != 0 || !contents(ttl) || contents(ttl-step) {
				t.Fatalf("%s of %+v hints at %s: does %v, one step below %v", r.rule.ID, c.Lease, ttl, contents(ttl), contents(ttl-step))
			}
		}
	})
}
