package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP528 is go-zero-is-the-default.
var LP528 = rule.Rule{
	ID: "LP528", Name: "go-zero-is-the-default", Severity: finding.Warning,
	Condition: "a Go option of 0, or one below 0 where the library takes that for unset too",
	Why:       "A zero in a Go options struct is a field that nobody set, so the library puts its default there: MaxRetries 0 resends three times, KeyValidity 0 is a lease of 5 s.",
	Fix:       "the value that is meant: in go-redis -1 is none",
	Example:   rule.Example{Args: []string{"check", "--library", "go-redis", "--set", "ttl=10s", "--set", "MaxRetries=0"}},
}

func lp528(run *Running, key, given, means string) {
	run.say(LP528, key, key+" "+given+" is taken for the default, "+means, key+" "+means+", or what is meant")
}
