package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP525 is lock-by-hand-not-atomic.
var LP525 = rule.Rule{
	ID: "LP525", Name: "lock-by-hand-not-atomic", Severity: finding.Error,
	Condition: "acquire by SETNX and EXPIRE, or release by DEL",
	Why: "A holder that dies between SETNX and EXPIRE leaves a lock for ever. A bare DEL after the lease ran out removes the next " +
		"owner's lock, and a third comes in.",
	Fix:     "SET key owner NX PX ttl in one command, and a compare-and-delete script",
	Example: rule.Example{Args: []string{"check", "--library", "go-redis", "--set", "ttl=10s", "--set", "acquire=setnx-expire"}},
}

func lp525(run *Running) {
	if run.Text("acquire") == "setnx-expire" {
		run.lacks("atomic", "SETNX and EXPIRE are two commands")
		run.lacks("no deadlock", "a holder that dies between the two leaves a lock for ever")
		run.say(LP525, "acquire", "SETNX and EXPIRE are two commands: a holder that dies between them leaves a lock for ever", "SET key owner NX PX ttl")
	}
	if run.Text("release") == "del" {
		run.lacks("only the owner releases", "a bare DEL")
		run.say(LP525, "release", "a bare DEL removes the next owner's lock once the lease has run out", "a script that compares the owner")
	}
}
