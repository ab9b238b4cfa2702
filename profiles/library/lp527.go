package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP527 is go-redis-unbounded-command.
var LP527 = rule.Rule{
	ID: "LP527", Name: "go-redis-unbounded-command", Severity: finding.Error,
	Condition: "ReadTimeout below 0, and no context that ends the command: without ContextTimeoutEnabled, or below -1 also with it",
	Why: "-1 is no ReadTimeout: on a frozen server a command ends with its context if ContextTimeoutEnabled is set, else never. " +
		"-2, and any other value below 0, sets no deadline on the connection at all, so that a context does not end it either.",
	Fix:     "a ReadTimeout above 0",
	Example: rule.Example{Args: []string{"check", "--library", "go-redis", "--set", "ttl=10s", "--set", "ReadTimeout=-1"}},
}

// lp527 is raised where a command has no end; unheard says that not even a
// context ends it.
func lp527(run *Running, unheard bool) {
	message := "no ReadTimeout, and no context ends a command: on a frozen server it never returns"
	if unheard {
		message = "a ReadTimeout of " + run.Values["ReadTimeout"].Text + " sets no deadline at all: on a frozen server a command never returns, whatever its context"
	}
	run.say(LP527, "ReadTimeout", message, "a ReadTimeout above 0")
}
