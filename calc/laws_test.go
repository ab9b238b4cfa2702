package calc

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// coarse is a library whose resolutions, lag and range are drawn.
type coarse struct {
	traits Traits
	lag    time.Duration
}

func (c coarse) Name() string                                     { return "coarse" }
func (c coarse) Traits() Traits                                   { return c.traits }
func (c coarse) Granted(ttl time.Duration) time.Duration          { return ttl }
func (c coarse) FreeMin(ttl time.Duration) time.Duration          { return ttl }
func (c coarse) FreeMax(ttl time.Duration) time.Duration          { return ttl + c.lag }
func (c coarse) Loss(ttl time.Duration) (t time.Duration, k bool) { return 0, false }

// length draws a duration up to max: any nanoseconds, or the round values
// that people write and where rounding has its edges.
func length(t *rapid.T, name string, max time.Duration) time.Duration {
	unit := rapid.SampledFrom([]time.Duration{1, time.Microsecond, time.Millisecond, 50 * time.Millisecond, time.Second}).Draw(t, name+" unit")
	return min(max, unit*time.Duration(rapid.Int64Range(0, int64(max/unit)).Draw(t, name)))
}

// drawInputs are raw inputs over the whole range that people have, given as
// claims, for a mode.
func drawInputs(t *rapid.T, mode Mode) Inputs {
	in := Inputs{
		Hold: is(length(t, "hold", time.Hour)), Pause: is(length(t, "pause", time.Minute)),
		Margin: is(length(t, "margin", 10*s)), Mode: mode,
		Failures: rapid.IntRange(0, 5).Draw(t, "k"), FailuresGiven: true,
		Ratio: Ratio(rapid.IntRange(4, 40).Draw(t, "4n")) * One / 4, RatioGiven: true,
		Drift: Ratio(rapid.IntRange(0, 10_000_000).Draw(t, "drift")), DriftGiven: true,
		Library: coarse{
			traits: Traits{
				Quantum:         rapid.SampledFrom([]time.Duration{1, ms, s, 2 * s}).Draw(t, "quantum"),
				IntervalQuantum: rapid.SampledFrom([]time.Duration{1, ms, 100 * ms}).Draw(t, "interval quantum"),
			},
			lag: rapid.SampledFrom([]time.Duration{0, 500 * ms, 5 * s}).Draw(t, "lag"),
		},
	}
	if rapid.Bool().Draw(t, "retries at once") {
		in.Backoff = is(length(t, "backoff", 2*s))
	}
	if rapid.Bool().Draw(t, "rtt") {
		in.RTT = is(length(t, "rtt", in.Margin.Value))
	}
	return in
}

func drawMode(t *rapid.T) Mode {
	return rapid.SampledFrom([]Mode{Fixed, Renewed, Auto}).Draw(t, "mode")
}

// tighten makes one input worse for the lock and says which.
func tighten(t *rapid.T, in *Inputs) string {
	more := time.Duration(rapid.Int64Range(1, int64(30*s)).Draw(t, "more"))
	what := rapid.SampledFrom([]string{"hold", "pause", "margin", "failures", "RTO"}).Draw(t, "tighter")
	switch what {
	case "hold":
		in.Hold.Value += more
	case "pause":
		in.Pause.Value += more
	case "margin":
		in.Margin.Value += more
	case "failures":
		in.Failures++
	case "RTO":
		in.RTO.Value = max(0, in.RTO.Value-more)
	}
	return what
}

// More pause, margin, hold or failures tolerated never lowers T_min.
func TestTTLMinIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]Mode{Fixed, Renewed}).Draw(t, "mode")
		in := drawInputs(t, mode)
		before := Solve(resolve(t, in))
		what := tighten(t, &in)
		after := Solve(resolve(t, in))
		if after.HasMin && (!before.HasMin || after.TTLMin < before.TTLMin) {
			t.Fatalf("more %s: T_min %v, was %v (had one: %v)", what, after.TTLMin, before.TTLMin, before.HasMin)
		}
	})
}

// Scaling every duration by c scales T_min by c, up to the nanosecond that
// each is rounded up to, and what a lease survives exactly.
func TestScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInputs(t, rapid.SampledFrom([]Mode{Fixed, Renewed}).Draw(t, "mode"))
		c := time.Duration(rapid.Int64Range(2, 1000).Draw(t, "c"))
		scaled := in
		for _, b := range []*Bound{&scaled.Hold, &scaled.Pause, &scaled.Margin, &scaled.RTT, &scaled.Backoff} {
			b.Value *= c
		}
		small, large := Solve(resolve(t, in)), Solve(resolve(t, scaled))
		if small.HasMin != large.HasMin {
			t.Fatalf("T_min exists at one scale only")
		}
		if in.Mode == Renewed && in.Margin.Value < in.Library.Traits().IntervalQuantum {
			// The shortest call timeout does not scale.
		} else if small.HasMin && (large.TTLMin > c*small.TTLMin || large.TTLMin <= c*(small.TTLMin-1)) {
			t.Fatalf("T_min %d scaled by %d is %d", small.TTLMin, c, large.TTLMin)
		}

		l := Lease{TTL: length(t, "T", time.Hour), Interval: 1 + length(t, "I", time.Minute), Call: length(t, "Tr", time.Minute)}
		l.Spacing = 1 + length(t, "r", time.Minute)
		big := Lease{TTL: c * l.TTL, Interval: c * l.Interval, Call: c * l.Call, Spacing: c * l.Spacing}
		env, wide := resolve(t, in).Env(), resolve(t, scaled).Env()
		env.Drift, wide.Drift = 0, 0
		if big.StopWork(wide) != c*l.StopWork(env) || big.PauseSurvived(wide) != c*l.PauseSurvived(env) ||
			big.OutageSurvived(wide) != c*l.OutageSurvived(env) || big.FailuresTolerated(wide) != l.FailuresTolerated(env) {
			t.Fatalf("%+v and its multiple by %d survive different things", l, c)
		}
	})
}

// Tightening an input never turns an infeasible plan feasible.
func TestTighteningNeverHelps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInputs(t, drawMode(t))
		in.RTO = is(length(t, "RTO", 2*time.Minute))
		before := Solve(resolve(t, in))
		if before.Solved {
			return
		}
		what := tighten(t, &in)
		if after := Solve(resolve(t, in)); after.Solved {
			t.Fatalf("a tighter %s makes it feasible: T_min %v, T_max %v, T %v; before T_min %v, T_max %v",
				what, after.TTLMin, after.TTLMax, after.Lease.TTL, before.TTLMin, before.TTLMax)
		}
	})
}

// A lease that is solved meets its formulas as rounded, in rational
// arithmetic of this test's own: rounding never moves a value to the unsafe
// side.
func TestSolvedLeasesAreSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawInputs(t, drawMode(t))
		if rapid.Bool().Draw(t, "has RTO") {
			raw.RTO = is(length(t, "RTO", 2*time.Hour))
		}
		in := resolve(t, raw)
		got := Solve(in)
		if !got.Solved {
			return
		}
		l, traits := got.Lease, in.Library.Traits()
		if l.TTL < got.TTLMin || l.TTL%traits.Quantum != 0 {
			t.Fatalf("T %v: T_min %v, quantum %v", l.TTL, got.TTLMin, traits.Quantum)
		}
		if in.RTO.Known && l.TTL+in.Library.(coarse).lag+in.Detect.Value+in.RTT.Value > in.RTO.Value {
			t.Fatalf("T %v misses the RTO", l.TTL)
		}
		// T(1 - rho), exactly.
		worth := new(big.Rat).Mul(whole(l.TTL), big.NewRat(int64(One-in.Drift), int64(One)))
		atMost := func(what string, ds ...time.Duration) {
			total := new(big.Rat)
			for _, d := range ds {
				total.Add(total, whole(d))
			}
			if total.Cmp(worth) > 0 {
				t.Fatalf("%s: %s above T(1 - rho) %s", what, total.FloatString(3), worth.FloatString(3))
			}
		}
		if got.Mode == Fixed {
			atMost("F1", in.Hold.Value, in.Pause.Value, in.Margin.Value)
			if l.TTL <= in.Hold.Value {
				t.Fatalf("T %v is not above the hold %v", l.TTL, in.Hold.Value)
			}
			if in.Pause.Value > l.PauseSurvived(in.Env()) {
				t.Fatalf("C3 %v is below the pause", l.PauseSurvived(in.Env()))
			}
			return
		}
		failures := time.Duration(in.Failures)
		atMost("R1", l.Interval, failures*l.Spacing, l.Call, in.Pause.Value, in.Margin.Value)
		if l.Call >= l.Interval || l.Call < in.RTT.Value || l.Interval+2*l.Call+l.Backoff > l.TTL {
			t.Fatalf("R2: %+v with rtt %v", l, in.RTT.Value)
		}
		if k := l.FailuresTolerated(in.Env()); k < in.Failures {
			t.Fatalf("C1 %d of %d failures", k, in.Failures)
		}
		if l.Interval%traits.IntervalQuantum != 0 || new(big.Rat).Mul(whole(l.Interval), big.NewRat(int64(in.Ratio), int64(One))).Cmp(whole(l.TTL)) > 0 {
			t.Fatalf("I %v of T %v at a ratio of %v", l.Interval, l.TTL, in.Ratio)
		}
		if l.Call > max(in.Margin.Value, traits.IntervalQuantum) || 2*l.Call > l.Interval {
			t.Fatalf("Tr %v: M %v, I %v", l.Call, in.Margin.Value, l.Interval)
		}
	})
}

// T_min is the least: it meets F1, or R1 and R2 with I = T/n and Tr = M, at
// least the library's shortest timeout and at most I/2 unrounded, and one
// nanosecond below it does not.
func TestTTLMinIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := resolve(t, drawInputs(t, rapid.SampledFrom([]Mode{Fixed, Renewed}).Draw(t, "mode")))
		got := Solve(in)
		if !got.HasMin {
			return
		}
		meets := meetsRenewed
		if in.Mode == Fixed {
			meets = meetsFixed
		}
		if !meets(in, got.TTLMin) {
			t.Fatalf("T_min %d does not meet its own formula", got.TTLMin)
		}
		if got.TTLMin > 0 && meets(in, got.TTLMin-1) {
			t.Fatalf("T_min %d is not the least", got.TTLMin)
		}
	})
}

func meetsFixed(in Inputs, ttl time.Duration) bool {
	worth := new(big.Rat).Mul(whole(ttl), big.NewRat(int64(One-in.Drift), int64(One)))
	need := total(whole(in.Hold.Value), whole(in.Pause.Value), whole(in.Margin.Value))
	return need.Cmp(worth) <= 0 && ttl > in.Hold.Value
}

func meetsRenewed(in Inputs, ttl time.Duration) bool {
	interval := new(big.Rat).Mul(whole(ttl), big.NewRat(int64(One), int64(in.Ratio)))
	call := new(big.Rat).Mul(interval, big.NewRat(1, 2))
	if m := whole(max(in.Margin.Value, in.Library.Traits().IntervalQuantum)); m.Cmp(call) < 0 {
		call = m
	}
	spacing := interval
	if in.Backoff.Known {
		spacing = total(call, whole(in.Backoff.Value))
	}
	worth := new(big.Rat).Mul(whole(ttl), big.NewRat(int64(One-in.Drift), int64(One)))
	r1 := total(interval, new(big.Rat).Mul(big.NewRat(int64(in.Failures), 1), spacing), call, whole(in.Pause.Value), whole(in.Margin.Value))
	r2 := total(interval, call, call, whole(in.Backoff.Value))
	return r1.Cmp(worth) <= 0 && r2.Cmp(whole(ttl)) <= 0 && call.Cmp(whole(in.RTT.Value)) >= 0
}

func total(parts ...*big.Rat) *big.Rat {
	out := new(big.Rat)
	for _, part := range parts {
		out.Add(out, part)
	}
	return out
}

// The acquire wait is never more than what is left, and the attempts that
// are promised fit into it.
func TestAcquireWaitFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInputs(t, Fixed)
		in.Deadline, in.Work = is(length(t, "D", time.Minute)), is(length(t, "B", time.Minute))
		in.Reply, in.Confirm = is(length(t, "R", s)), is(length(t, "C", s))
		delay := length(t, "d", s)
		in = resolve(t, in)
		got := SolveAcquire(in, delay)
		left := in.Deadline.Value - in.Work.Value - in.Reply.Value - in.Confirm.Value
		if got.Wait > left {
			t.Fatalf("A %v, left %v", got.Wait, left)
		}
		if left <= 0 {
			return
		}
		n := time.Duration(got.Attempts)
		if got.Attempt > got.Wait || got.Attempt > max(in.Margin.Value, got.Wait) || n < 1 || n*got.Attempt+(n-1)*delay > got.Wait {
			t.Fatalf("%+v with delays of %v", got, delay)
		}
	})
}

func whole(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }

func resolve(t *rapid.T, in Inputs) Inputs {
	in, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return in
}
