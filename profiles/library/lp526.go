package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP526 is rueidislock-try-below-rtt.
var LP526 = rule.Rule{
	ID: "LP526", Name: "rueidislock-try-below-rtt", Severity: finding.Error,
	Condition: "TryNextAfter <= rtt",
	Why:       "TryNextAfter is the deadline of one key's command while acquiring, 20 ms by default: below a round trip no lock is ever got.",
	Fix:       "TryNextAfter above the P99.9 of a round trip",
	Example:   rule.Example{Args: []string{"check", "--library", "rueidislock", "--set", "NoLoopTracking=true", "--rtt", "35ms"}},
}

func lp526(run *Running) {
	next, rtt := run.Dur("TryNextAfter"), run.In.RTT
	if !rtt.Finite() || next > rtt.Value {
		return
	}
	run.sayLimit(LP526, "TryNextAfter", next, rtt.Value, "a try ends after "+f(next)+", a round trip takes "+f(rtt.Value), "TryNextAfter above "+f(rtt.Value))
}
