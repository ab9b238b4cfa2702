package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP581 is zookeeper-refuses.
var LP581 = rule.Rule{
	ID: "LP581", Name: "zookeeper-refuses", Severity: finding.Error,
	Condition: "tickTime = 0, or minSessionTimeout > maxSessionTimeout; syncLimit or initLimit not above 0: a warning, since a server alone does not look at them",
	Why:       "The server does not start with it.",
	Fix:       "a tickTime above 0, minSessionTimeout at most maxSessionTimeout, and limits above 0",
	Example:   rule.Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=10000", "--set", "minSessionTimeout=70000"}},
}

// lp581 reports whether the server starts.
func lp581(run *Running, tick, least, most time.Duration) bool {
	for _, key := range []string{"syncLimit", "initLimit"} {
		if run.Given(key) && run.Int(key) <= 0 {
			run.say(LP581, key, key+" is "+run.Text(key)+": a server of an ensemble does not start", key+" 5").Severity = finding.Warning
		}
	}
	if tick <= 0 {
		run.say(LP581, "tickTime", "tickTime is 0: the server does not start", "tickTime 2000")
		return false
	}
	if least > most {
		run.sayLimit(LP581, "minSessionTimeout", least, most,
			"minSessionTimeout "+f(least)+" is above maxSessionTimeout "+f(most)+": the server does not start", "minSessionTimeout of at most "+f(most))
		return false
	}
	return true
}
