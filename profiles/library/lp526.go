package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP526 is rueidislock-try-below-rtt.
var LP526 = rule.Rule{
	ID: "LP526", Name: "rueidislock-try-below-rtt", Severity: finding.Error,
	Condition: "TryNextAfter <= rtt, or <= 50us where none is stated",
	Why:       "TryNextAfter is the deadline of one key's command while acquiring, 20 ms by default: below a round trip no lock is ever got.",
	Fix:       "TryNextAfter above the P99.9 of a round trip",
	Example:   rule.Example{Args: []string{"check", "--library", "rueidislock", "--set", "NoLoopTracking=true", "--rtt", "35ms"}},
}

// leastRTT is below every round trip, also on one machine.
const leastRTT = 50 * time.Microsecond

func lp526(run *Running, next time.Duration) {
	rtt := leastRTT
	if run.In.RTT.Finite() {
		rtt = run.In.RTT.Value
	}
	if next > rtt {
		return
	}
	run.sayLimit(LP526, "TryNextAfter", next, rtt, "a try ends after "+f(next)+", a round trip takes "+f(rtt), "TryNextAfter above "+f(rtt))
}
