package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP522 is redislock-ttl-is-the-wait.
var LP522 = rule.Rule{
	ID: "LP522", Name: "redislock-ttl-is-the-wait", Severity: finding.Error,
	Condition: "a wait is planned and retries = 0; or retries > 0, no context deadline and the wait > ttl",
	Why:       "Obtain tries once unless it has a retry strategy, and without a deadline in its context it stops waiting when the ttl has passed.",
	Fix:       "LimitRetry(LinearBackoff(…), n) and a context with the wait as its deadline",
	Example:   rule.Example{Args: []string{"check", "--library", "redislock", "--set", "ttl=2s", "--set", "retries=100", "--set", "backoff=50ms", "--wait", "5s"}},
}

func lp522(run *Running, retries int) {
	wait := run.Setup.Wait
	switch {
	case !wait.Known || wait.Value == 0:
	case retries == 0:
		run.say(LP522, "retries", "a wait of "+f(wait.Value)+" is meant, but Obtain tries once (NoRetry)", "retries, a backoff and contextDeadline "+f(wait.Value))
	case !run.Given("contextDeadline") && wait.Value > run.Dur("ttl"):
		run.sayLimit(LP522, "ttl", wait.Value, run.Dur("ttl"),
			"a wait of "+f(wait.Value)+" is meant, but without a context deadline Obtain gives up after the ttl of "+f(run.Dur("ttl")), "contextDeadline "+f(wait.Value))
	}
}
