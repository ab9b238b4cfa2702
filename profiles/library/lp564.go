package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP564 is node-redlock-unbounded-call.
var LP564 = rule.Rule{
	ID: "LP564", Name: "node-redlock-unbounded-call", Severity: finding.Error,
	Condition: "ioredis without commandTimeout; retryCount -1",
	Why: "On a frozen server an extend never returns, so using() neither tries again nor aborts its signal: the work goes on without a lock. " +
		"With a retryCount of -1 an extend of a lock that is lost, and its release, are tried again for ever.",
	Fix:     "commandTimeout in the options of ioredis, a retryCount of 0 or more",
	Example: rule.Example{Args: []string{"check", "--library", "node-redlock", "--set", "duration=10000"}},
}

// lp564 looks at both ways in which a call never returns: no answer in time,
// and tries without end.
func lp564(run *Running, answered bool, count int) {
	if !answered {
		run.say(LP564, "commandTimeout", "ioredis has no commandTimeout: an extend on a frozen server never returns and the signal never aborts", "commandTimeout in ms")
	}
	if count < 0 {
		run.say(LP564, "retryCount", "retryCount -1 tries for ever: an extend or a release of a lock that is lost never returns", "retryCount 1, for the instance that extends and releases")
	}
}
