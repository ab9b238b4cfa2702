package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP542 is spring-integration-waits-twice.
var LP542 = rule.Rule{
	ID: "LP542", Name: "spring-integration-waits-twice", Severity: finding.Warning,
	Condition: "2 x waitTime + idleBetweenTries + one command > D - B - R - C; with PUB_SUB_LOCK 3 x waitTime + two commands",
	Why:       "tryLock waits up to its argument for the lock inside the process and then as long again for Redis. With PUB_SUB_LOCK a message for a lock that another got starts the wait for Redis anew.",
	Fix:       "half the wait, a third with PUB_SUB_LOCK",
	Example:   rule.Example{Args: []string{"check", "--library", "spring-integration", "--set", "waitTime=400", "--deadline", "1s", "--work", "450ms", "--reply", "100ms"}},
}

func lp542(run *Running, acquire time.Duration, sum string) {
	in := run.In
	budget := in.Deadline.Value - in.Work.Value - in.Reply.Value - in.Confirm.Value
	if !in.Deadline.Known || acquire <= budget {
		return
	}
	run.sayLimit(LP542, "waitTime", acquire, budget, "tryLock may take "+f(acquire)+" ("+sum+"); "+f(max(0, budget))+" are left of the deadline",
		"a waitTime and a command timeout that together, as "+sum+", stay below "+f(max(0, budget)))
}
