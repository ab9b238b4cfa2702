package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP502 is redisson-trylock-overruns.
var LP502 = rule.Rule{
	ID: "LP502", Name: "redisson-trylock-overruns", Severity: finding.Warning,
	Condition: "max(waitTime, one acquire command) + one acquire command (a fair lock: and one more; a spin lock: and 128 ms) > D - B - R - C",
	Why:       "waitTime is looked at between commands, not during one: on a frozen Redis tryLock(200 ms) takes as long as its commands do.",
	Fix:       "a timeout and retries that fit beside the wait",
	Example: rule.Example{Args: []string{"check", "--library", "redisson@4.2", "--set", "waitTime=300", "--set", "timeout=3000",
		"--deadline", "1s", "--work", "450ms", "--reply", "100ms"}},
}

func lp502(run *Running, command time.Duration) {
	in := run.In
	budget := in.Deadline.Value - in.Work.Value - in.Reply.Value - in.Confirm.Value
	if !in.Deadline.Known || run.Own.Acquire == nil || *run.Own.Acquire <= budget {
		return
	}
	commands, beside := time.Duration(2), time.Duration(0)
	switch run.Text("lockType") {
	case "fair":
		commands = 3
	case "spin":
		beside = spinDelay
	}
	most := max(0, (budget-beside)/commands).Truncate(time.Millisecond)
	fix := "a command of at most " + f(most) + " with its retries"
	if run.Setup.Wait.Value > most {
		fix += ", and a waitTime of at most " + Millis.Format(most)
	}
	if left := (budget - (*run.Own.Acquire - max(run.Setup.Wait.Value, command))).Truncate(time.Millisecond); left >= command {
		fix = "waitTime " + Millis.Format(left)
	}
	run.sayLimit(LP502, "waitTime", *run.Own.Acquire, budget,
		"on a frozen Redis tryLock returns after up to "+f(*run.Own.Acquire)+": one command takes "+f(command)+"; "+f(max(0, budget))+" are left of the deadline", fix)
}
