package library

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP521 is redsync-try-not-bounded.
var LP521 = rule.Rule{
	ID: "LP521", Name: "redsync-try-not-bounded", Severity: finding.Error,
	Condition: "ContextTimeoutEnabled is off: warning; WithTries below 1, expiry x timeoutFactor 0, or at most the stated rtt: error",
	Why: "redsync bounds a try by a context, and go-redis ends a command with its context only when ContextTimeoutEnabled is set. " +
		"Without it a try on a frozen Redis takes a ReadTimeout, and its clean-up another: 10 s by default.",
	Fix:     "ContextTimeoutEnabled: true in redis.Options, and a timeoutFactor above a round trip",
	Example: rule.Example{Args: []string{"check", "--library", "redsync", "--set", "WithExpiry=100ms", "--rtt", "20ms"}},
}

// lp521 holds one try, bounded by its own context, against what the client
// makes of it.
func lp521(run *Running, tries int, own time.Duration, try calc.Bound) {
	if tries <= 0 {
		run.say(LP521, "WithTries", fmt.Sprintf("WithTries is %d: Lock fails at once", tries), "WithTries of at least 1")
	}
	if own == 0 {
		run.say(LP521, "WithTimeoutFactor", "WithTimeoutFactor x WithExpiry is 0: a try ends before it begins", "a larger WithTimeoutFactor or WithExpiry")
	}
	if !run.Bool("ContextTimeoutEnabled") && try.Known {
		run.say(LP521, "ContextTimeoutEnabled", "go-redis does not end a command with its context: a try takes up to "+f(try.Value)+", not "+f(own),
			"ContextTimeoutEnabled: true").Severity = finding.Warning
	}
	if rtt := run.In.RTT; rtt.Finite() && own <= rtt.Value {
		run.sayLimit(LP521, "WithTimeoutFactor", own, rtt.Value,
			"one try ends after "+f(own)+" (expiry x timeoutFactor), a round trip takes "+f(rtt.Value), "a larger WithTimeoutFactor or WithExpiry")
	}
}
