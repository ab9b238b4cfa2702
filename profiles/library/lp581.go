package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP581 is zookeeper-refuses.
var LP581 = rule.Rule{
	ID: "LP581", Name: "zookeeper-refuses", Severity: finding.Error,
	Condition: "tickTime = 0, or minSessionTimeout > maxSessionTimeout",
	Why:       "The server does not start with it.",
	Fix:       "a tickTime above 0, and minSessionTimeout at most maxSessionTimeout",
	Example:   rule.Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=10000", "--set", "minSessionTimeout=70000"}},
}

func lp581(run *Running, tick, least, most time.Duration) {
	if tick <= 0 {
		run.say(LP581, "tickTime", "tickTime is 0: the server does not start", "tickTime 2000")
		return
	}
	if least > most {
		run.sayLimit(LP581, "minSessionTimeout", least, most,
			"minSessionTimeout "+f(least)+" is above maxSessionTimeout "+f(most)+": the server does not start", "minSessionTimeout of at most "+f(most))
	}
}
