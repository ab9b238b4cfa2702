package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP503 is redisson-fair-lock-waits-for-the-dead.
var LP503 = rule.Rule{
	ID: "LP503", Name: "redisson-fair-lock-waits-for-the-dead", Severity: finding.Warning,
	Condition: "lockType fair and fairLockWaitTimeout > RTO",
	Why:       "A waiter that died keeps its place in the queue for fairLockWaitTimeout, 5 minutes by default; everybody behind it waits, lease or no lease.",
	Fix:       "fairLockWaitTimeout below the RTO (from 3.46 on), or a plain lock",
	Example:   rule.Example{Args: []string{"check", "--library", "redisson@4.2", "--set", "lockType=fair", "--rto", "60s"}},
}

func lp503(run *Running) {
	wait, rto := run.Dur("fairLockWaitTimeout"), run.In.RTO
	if run.Text("lockType") != "fair" || !rto.Known || wait <= rto.Value {
		return
	}
	run.sayLimit(LP503, "fairLockWaitTimeout", wait, rto.Value,
		"a dead waiter blocks a fair lock for "+f(wait)+"; the RTO is "+f(rto.Value), "fairLockWaitTimeout "+Millis.Down(rto.Value))
}
