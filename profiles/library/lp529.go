package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP529 is go-redis-cannot-connect.
var LP529 = rule.Rule{
	ID: "LP529", Name: "go-redis-cannot-connect", Severity: finding.Error,
	Condition: "DialTimeout below 0",
	Why:       "It is a deadline that has passed before the dial begins: every try to connect ends with an i/o timeout.",
	Fix:       "a DialTimeout above 0",
	Example:   rule.Example{Args: []string{"check", "--library", "go-redis", "--set", "ttl=10s", "--set", "DialTimeout=-1"}},
}

func lp529(run *Running, never bool) {
	if never {
		run.say(LP529, "DialTimeout", "DialTimeout is below 0: no dial succeeds", "DialTimeout of at least a round trip")
	}
}
