package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP564 is node-redlock-unbounded-call.
var LP564 = rule.Rule{
	ID: "LP564", Name: "node-redlock-unbounded-call", Severity: finding.Error,
	Condition: "ioredis without commandTimeout",
	Why:       "On a frozen server an extend never returns, so using() neither tries again nor aborts its signal: the work goes on without a lock.",
	Fix:       "commandTimeout in the options of ioredis",
	Example:   rule.Example{Args: []string{"check", "--library", "node-redlock", "--set", "duration=10000"}},
}

func lp564(run *Running, bounded bool) {
	if !bounded {
		run.say(LP564, "commandTimeout", "ioredis has no commandTimeout: an extend on a frozen server never returns and the signal never aborts", "commandTimeout in ms")
	}
}
