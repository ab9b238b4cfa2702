package library

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP522 is redislock-ttl-is-the-wait.
var LP522 = rule.Rule{
	ID: "LP522", Name: "redislock-ttl-is-the-wait", Severity: finding.Error,
	Condition: "a wait is planned and retries = 0, or fewer than it takes; or no context deadline and the wait > ttl; retries over before the context's deadline: warning",
	Why: "Obtain tries once unless it has a retry strategy, gives up when LimitRetry has counted to its end, " +
		"and without a deadline in its context it stops waiting when the ttl has passed.",
	Fix:     "LimitRetry(LinearBackoff(…), n) and a context with the wait as its deadline",
	Example: rule.Example{Args: []string{"check", "--library", "redislock", "--set", "ttl=2s", "--set", "retries=100", "--set", "backoff=50ms", "--wait", "5s"}},
}

func lp522(run *Running, tries redislockPolls) {
	wait, ttl := run.Setup.Wait, run.Dur("ttl")
	if deadline := run.Bound("contextDeadline"); !wait.Known && tries.retries > 0 && deadline.Known && tries.limited && tries.total < deadline.Value {
		run.sayLimit(LP522, "retries", tries.total, deadline.Value, retriesOver(tries)+", the context's deadline comes after "+f(deadline.Value),
			"retries for "+f(deadline.Value)+", or none of LimitRetry").Severity = finding.Warning
	}
	switch {
	case !wait.Known || wait.Value == 0:
	case tries.retries == 0:
		run.say(LP522, "retries", "a wait of "+f(wait.Value)+" is meant, but Obtain tries once (NoRetry)", "retries, a backoff and contextDeadline "+f(wait.Value))
	case tries.limited && tries.total < wait.Value:
		run.sayLimit(LP522, "retries", tries.total, wait.Value, "a wait of "+f(wait.Value)+" is meant, but "+retriesOver(tries),
			"retries for "+f(wait.Value)+", or none of LimitRetry, and contextDeadline "+f(wait.Value))
	case !run.Given("contextDeadline") && wait.Value > ttl:
		run.sayLimit(LP522, "ttl", wait.Value, ttl,
			"a wait of "+f(wait.Value)+" is meant, but without a context deadline Obtain gives up after the ttl of "+f(ttl), "contextDeadline "+f(wait.Value))
	}
}

func retriesOver(tries redislockPolls) string {
	return fmt.Sprintf("Obtain gives up after %d retries, which take %s when every reply is quick", tries.retries, f(tries.total))
}
