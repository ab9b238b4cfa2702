package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP585 is curator-acquire-overruns.
var LP585 = rule.Rule{
	ID: "LP585", Name: "curator-acquire-overruns", Severity: finding.Warning,
	Condition: "the wait of acquire + four calls with their retries > D - B - R - C; RetryForever: error",
	Why:       "acquire(time, unit) looks at its wait between calls, not during one: creating the node, listing the queue, setting the watch and taking the node back each last until the client gives its connection up, at two thirds of the session, and again with every further try.",
	Fix:       "a shorter wait, fewer retries, or a shorter session",
	Example: rule.Example{Args: []string{"check", "--library", "curator", "--set", "sessionTimeoutMs=10000", "--set", "tickTime=1000", "--set", "connectionTimeoutMs=300",
		"--wait", "400ms", "--deadline", "1s", "--work", "450ms", "--reply", "100ms"}},
}

func lp585(run *Running, call time.Duration) {
	in := run.In
	budget := in.Deadline.Value - in.Work.Value - in.Reply.Value - in.Confirm.Value
	if !in.Deadline.Known || run.Own.Acquire == nil || *run.Own.Acquire <= budget {
		return
	}
	fix := "a shorter session or fewer retries: calls of at most " + f(max(0, budget/5)) + ", and a wait as long"
	if left := (budget - 4*call).Truncate(time.Millisecond); left > 0 {
		fix = "a wait of " + f(left)
	}
	run.sayLimit(LP585, "connectionTimeoutMs", *run.Own.Acquire, budget,
		"acquire may take "+f(*run.Own.Acquire)+": its wait and four calls of "+f(call)+"; "+f(max(0, budget))+" are left of the deadline", fix)
}

// lp585Forever is for a policy that never gives up, whatever the deadline.
func lp585Forever(run *Running) {
	run.say(LP585, "retryPolicy", "RetryForever tries again without end: while no server answers, neither acquire nor release returns, whatever the wait",
		"a policy that gives up, such as RetryNTimes(1, 100)").Severity = finding.Error
}
