package calc

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// The defaults of section 1, each marked as what it is.
func TestResolveDefaults(t *testing.T) {
	in := resolved(t, Inputs{Hold: is(800 * ms), Deadline: is(s)})
	same(t, "M", in.Margin.Value, 700*ms)
	same(t, "M is assumed", in.Margin.Kind, Assumed)
	same(t, "P", in.Pause.Value, 0)
	same(t, "P is assumed", in.Pause.Kind, Assumed)
	same(t, "W is M", in.Detect.Value, 700*ms)
	same(t, "k", in.Failures, 1)
	same(t, "n", in.Ratio, 3*One)
	same(t, "q", in.Percentile, 0.999)
	same(t, "B is h where P99 is not known", in.Work.Value, 800*ms)
	same(t, "R is assumed", in.Reply.Kind, Assumed)
	same(t, "C", in.Confirm.Value, 0)

	in = resolved(t, Inputs{Hold: is(800 * ms), HoldP99: is(200 * ms), Deadline: is(s), RTT: is(20 * ms)})
	same(t, "M is rtt + sched", in.Margin.Value, 120*ms)
	same(t, "B is P99", in.Work.Value, 200*ms)
	same(t, "C is a round trip", in.Confirm.Value, 20*ms)

	in = resolved(t, Inputs{Library: coarse{traits: Traits{Ratio: 2 * One, Drift: One / 100}}})
	same(t, "n of the library", in.Ratio, 2*One)
	same(t, "rho of the library", in.Drift, One/100)
}

// Values that contradict each other are refused, with what to type instead.
func TestResolveRefuses(t *testing.T) {
	for _, tt := range []struct {
		in   Inputs
		says string
	}{
		{Inputs{Margin: is(10 * ms), RTT: is(20 * ms)}, "shorter than one round trip"},
		{Inputs{Jitter: is(5 * ms)}, "none is given"},
		{Inputs{Sched: is(5 * ms)}, "none is given"},
		{Inputs{Drift: One, DriftGiven: true}, "no lease at all"},
		{Inputs{Library: coarse{traits: Traits{Ratio: 2 * One}}, Ratio: 3 * One, RatioGiven: true}, "cannot be told otherwise"},
	} {
		_, err := tt.in.Resolve()
		if err == nil || !strings.Contains(err.Error(), tt.says) || fault.ClassOf(err) != fault.Usage || fault.HintOf(err) == "" {
			t.Errorf("Resolve: %v, want a usage error with %q and a hint", err, tt.says)
		}
	}
}
