package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP560 is redis-py-never-expires.
var LP560 = rule.Rule{
	ID: "LP560", Name: "redis-py-never-expires", Severity: finding.Error,
	Condition: "timeout None, 0, or below 0.001",
	Why:       "Without a timeout the lock of a holder that died stays until somebody deletes it by hand. Below a millisecond the server refuses the command.",
	Fix:       "timeout in seconds",
	Example:   rule.Example{Args: []string{"check", "--library", "redis-py", "--set", "timeout=0"}},
}

// lp560 reports whether there is no lease at all.
func lp560(run *Running, ttl calc.Bound) bool {
	if ttl.Known && ttl.Value >= time.Millisecond {
		return false
	}
	run.lacks("no deadlock", "no timeout")
	run.lacks("owner crashes", "no timeout")
	message := "timeout is not set: the lock of a dead holder stays for ever"
	if ttl.Known {
		message = "timeout " + run.Text("timeout") + " gives no expiry, or is refused by the server"
	}
	run.say(LP560, "timeout", message, "timeout in seconds, at least 0.001")
	return true
}
