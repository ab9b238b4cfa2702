package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP547 is shedlock-keepalive-ends-silently.
var LP547 = rule.Rule{
	ID: "LP547", Name: "shedlock-keepalive-ends-silently", Severity: finding.Warning,
	Condition: "KeepAlive",
	Why:       "The extension runs in a periodic task of the JDK, which drops a task that throws. One timeout of the store ends the renewals for good, without a log line, and the job goes on.",
	Fix:       "a lockAtMostFor that covers the job, or a library that tries again",
	Example:   rule.Example{Args: []string{"check", "--library", "shedlock", "--set", "lockAtMostFor=60s", "--set", "keepAlive=true", "--set", "safeUpdate=true"}},
}

func lp547(run *Running) {
	run.say(LP547, "keepAlive", "KeepAlive ends silently at the first extension that throws: no failed renewal is tolerated", "a lockAtMostFor above the hold")
}
