package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP541 is spring-integration-unbounded-call.
var LP541 = rule.Rule{
	ID: "LP541", Name: "spring-integration-unbounded-call", Severity: finding.Error,
	Condition: "spring.data.redis.timeout = 0",
	Why:       "Lettuce takes a timeout of 0 for none: on a frozen server no command returns, neither a renewal nor an unlock nor tryLock.",
	Fix:       "spring.data.redis.timeout below a third of expireAfter",
	Example:   rule.Example{Args: []string{"check", "--library", "spring-integration", "--set", "expireAfter=30000", "--set", "spring.data.redis.timeout=0"}},
}

// lp541 reports whether nothing bounds a command.
func lp541(run *Running, command time.Duration) bool {
	if command > 0 {
		return false
	}
	run.say(LP541, "spring.data.redis.timeout", "spring.data.redis.timeout is 0: a command on a frozen server never returns", "spring.data.redis.timeout 2s")
	return true
}
