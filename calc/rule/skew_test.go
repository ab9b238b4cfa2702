package rule

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
)

// aboutSkew are the rules to which a skew is more than a shorter lease: it
// holds others up as well (LP102, LP304, LP312, LP119 by its T_max), it is a
// finding itself (LP117), or the TTL is a number as written (LP204, LP313).
var aboutSkew = []string{"LP102", "LP117", "LP119", "LP204", "LP304", "LP312", "LP313"}

// C4: with another machine's clock the lease is worth T - skew to its holder,
// so a check of it finds what a check of a lease of T - skew finds.
func TestSkewIsAShorterLease(t *testing.T) {
	kept := slices.DeleteFunc(slices.Clone(Catalogue), func(r Rule) bool { return slices.Contains(aboutSkew, r.ID) })
	rapid.Check(t, func(t *rapid.T) {
		span := func(name string, most time.Duration) calc.Bound {
			return calc.Claim(time.Duration(rapid.Int64Range(0, int64(most/time.Millisecond)).Draw(t, name))*time.Millisecond, "test")
		}
		maybe := func(name string, most time.Duration) calc.Bound {
			if !rapid.Bool().Draw(t, "has "+name) {
				return calc.Bound{}
			}
			return span(name, most)
		}
		in := calc.Inputs{
			Hold: maybe("hold", 40*time.Second), HoldAtLeast: maybe("hold at least", 40*time.Second),
			Pause: maybe("pause", 10*time.Second), Margin: span("margin", 2*time.Second),
			RTO: maybe("RTO", time.Minute), Failures: rapid.IntRange(0, 3).Draw(t, "k"), FailuresGiven: rapid.Bool().Draw(t, "k given"),
			Drift: calc.Ratio(rapid.Int64Range(0, int64(calc.One)/10).Draw(t, "drift")), DriftGiven: true,
			MaxHold: maybe("maximum hold", 40*time.Second),
		}
		if in.Hold.Known {
			in.HoldP50, in.PauseIncluded = calc.Claim(in.Hold.Value/2, "test"), rapid.Bool().Draw(t, "pause included")
		}
		in, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		skew := rapid.Int64Range(0, int64(20*time.Second/time.Millisecond)).Draw(t, "skew")
		short := calc.Lease{TTL: time.Duration(rapid.Int64Range(1, 30_000).Draw(t, "TTL - skew")) * time.Millisecond}
		if rapid.Bool().Draw(t, "renews") {
			short.Interval = short.TTL/time.Duration(rapid.IntRange(1, 5).Draw(t, "n")) + span("off", 2*time.Second).Value
			short.Call, short.Late = span("call", 5*time.Second).Value, span("late", time.Second).Value
			short.Spacing = max(1, short.Interval+span("spacing", time.Second).Value)
			short.AfterCall = rapid.Bool().Draw(t, "after call")
		}
		setup := Setup{
			Spent: maybe("spent", 30*time.Second), StopWork: maybe("stop work", 30*time.Second), Outage: maybe("outage", 40*time.Second),
			Failover: maybe("failover", 40*time.Second), Wait: maybe("wait", 30*time.Second), RetryDelay: maybe("delay", time.Second),
			Command: maybe("command", 5*time.Second), Grace: maybe("grace", 40*time.Second), Visibility: maybe("visibility", time.Minute),
		}
		ids := func(ttl time.Duration, skew calc.Bound) (said []string) {
			c := &Case{In: in, HasLease: true, Lease: short, MaxHold: in.MaxHold, Setup: setup}
			c.Lease.TTL, c.Setup.ClockSkew = ttl, skew
			c.Setup.TTL = calc.Claim(ttl, "test")
			found, _ := Run(kept, c)
			for _, f := range found {
				said = append(said, f.Severity.String()+" "+f.ID)
			}
			return said
		}
		want := ids(short.TTL, calc.Bound{})
		by := calc.Claim(time.Duration(skew)*time.Millisecond, "test")
		if got := ids(short.TTL+by.Value, by); !slices.Equal(got, want) {
			t.Fatalf("a lease of %s with a skew of %s: %v, one of %s: %v", short.TTL+by.Value, by.Value, got, short.TTL, want)
		}
	})
}
