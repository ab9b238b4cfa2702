package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP563 is node-redlock-threshold.
var LP563 = rule.Rule{
	ID: "LP563", Name: "node-redlock-threshold", Severity: finding.Error,
	Condition: "automaticExtensionThreshold > duration - 100 ms",
	Why:       "using() throws: it would extend all the time.",
	Fix:       "a threshold of two thirds of the duration, and at least 100 ms below it",
	Example:   rule.Example{Args: []string{"check", "--library", "node-redlock", "--set", "duration=1000", "--set", "automaticExtensionThreshold=1000", "--set", "commandTimeout=100"}},
}

// lp563 reports whether using() refuses the lease.
func lp563(run *Running, ttl, threshold time.Duration) bool {
	limit := ttl - 100*time.Millisecond
	if threshold <= limit {
		return false
	}
	run.sayLimit(LP563, "automaticExtensionThreshold", threshold, limit,
		"automaticExtensionThreshold "+f(threshold)+" is above duration - 100 ms = "+f(limit)+": using() throws", "duration of at least "+Millis.Format(threshold+100*time.Millisecond)+", better three times the threshold")
	return true
}
