package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP521 is redsync-try-not-bounded.
var LP521 = rule.Rule{
	ID: "LP521", Name: "redsync-try-not-bounded", Severity: finding.Error,
	Condition: "ContextTimeoutEnabled is off: warning; WithTries 0, or expiry x timeoutFactor < margin of one call (stated rtt): error",
	Why: "redsync bounds a try by a context, and go-redis ends a command with its context only when ContextTimeoutEnabled is set. " +
		"Without it a try on a frozen Redis takes all of the client's retries, 10 s and more by default.",
	Fix:     "ContextTimeoutEnabled: true in redis.Options, and a timeoutFactor above a round trip",
	Example: rule.Example{Args: []string{"check", "--library", "redsync", "--set", "WithExpiry=100ms", "--rtt", "20ms"}},
}

func lp521(run *Running, try time.Duration) {
	if !run.Bool("ContextTimeoutEnabled") {
		run.say(LP521, "ContextTimeoutEnabled", "go-redis does not end a command with its context: a try takes up to "+f(goRedisCommand(run, calc.Bound{}).Value)+", not "+f(try),
			"ContextTimeoutEnabled: true").Severity = finding.Warning
	}
	if rtt := run.In.RTT; rtt.Finite() && try <= rtt.Value {
		run.sayLimit(LP521, "WithTimeoutFactor", try, rtt.Value,
			"one try ends after "+f(try)+" (expiry x timeoutFactor), a round trip takes "+f(rtt.Value), "a larger WithTimeoutFactor or WithExpiry")
	}
}
