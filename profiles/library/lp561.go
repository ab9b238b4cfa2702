package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP561 is redis-py-unbounded-call.
var LP561 = rule.Rule{
	ID: "LP561", Name: "redis-py-unbounded-call", Severity: finding.Error,
	Condition: "socket_timeout None or 0: error; none given before 8.0, where the default is none: warning",
	Why:       "Without one a command on a frozen server never returns: neither blocking_timeout nor a renewal schedule is kept. With 0 the socket does not wait: a command fails whose answer is not there at once.",
	Fix:       "socket_timeout on the client",
	Example:   rule.Example{Args: []string{"check", "--library", "redis-py@7.0", "--set", "timeout=10"}},
}

func lp561(run *Running, bounded bool) {
	switch {
	case bounded:
	case run.Bound("socket_timeout").Known:
		run.say(LP561, "socket_timeout", "socket_timeout "+run.Text("socket_timeout")+": the socket does not wait, a command fails whose answer is not there at once", "socket_timeout in seconds, above 0")
	case run.Given("socket_timeout"):
		run.say(LP561, "socket_timeout", "socket_timeout "+run.Text("socket_timeout")+": a command on a frozen server never returns", "socket_timeout in seconds")
	default:
		run.say(LP561, "socket_timeout", "no socket_timeout: a command on a frozen server never returns", "socket_timeout in seconds").Severity = finding.Warning
	}
}
