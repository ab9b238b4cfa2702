package library

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP503 is redisson-fair-lock-waits-for-the-dead.
var LP503 = rule.Rule{
	ID: "LP503", Name: "redisson-fair-lock-waits-for-the-dead", Severity: finding.Warning,
	Condition: "lockType fair and T + n x fairLockWaitTimeout (waitTime, where that is given) + W + rtt > RTO; n is 1, or --contenders less 2 where that is more",
	Why: "A process that dies takes its waiters with it. Each keeps its place in the queue after the lease, for fairLockWaitTimeout, 5 minutes by default; " +
		"everybody behind it waits, one dead waiter after the other. The takeover (C5) counts one.",
	Fix:     "fairLockWaitTimeout well below the RTO (from 3.46 on), or a plain lock",
	Example: rule.Example{Args: []string{"check", "--library", "redisson@4.2", "--set", "lockType=fair", "--rto", "60s"}},
}

func lp503(run *Running, l redisson) {
	rto := run.In.RTO
	if l.dead == 0 || !rto.Known {
		return
	}
	n := max(1, run.In.Contenders-2)
	places := calc.Chain(l.dead, n-1, 0)
	besides := saturate(run.Setup.TTL.Value, run.In.Env().Detect+run.In.Env().RTT)
	worst := saturate(besides, places)
	if worst <= rto.Value {
		return
	}
	waiters := "a dead waiter"
	if n > 1 {
		waiters = fmt.Sprintf("%d dead waiters", n)
	}
	fix := "a shorter lease, or a plain lock"
	most := (max(0, rto.Value-besides) / time.Duration(n)).Truncate(time.Millisecond)
	switch _, waits := run.Values["waitTime"]; {
	case most == 0:
	case waits:
		fix = "waitTime " + Millis.Format(most)
	case l.before(3, 46):
		fix = "Redisson 3.46 or later with fairLockWaitTimeout " + Millis.Format(most) + ", or a plain lock"
	default:
		fix = "fairLockWaitTimeout " + Millis.Format(most)
	}
	run.sayLimit(LP503, "fairLockWaitTimeout", worst, rto.Value,
		fmt.Sprintf("%s may keep a fair lock taken for %s beyond the lease of %s; the RTO is %s", waiters, f(places), f(run.Setup.TTL.Value), f(rto.Value)), fix)
}
