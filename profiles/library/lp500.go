package library

import (
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP500 is redisson-key-not-known.
var LP500 = rule.Rule{
	ID: "LP500", Name: "redisson-key-not-known", Severity: finding.Error,
	Condition: "retryInterval from 4.0 on; retryDelay before 3.48; ConstantDelay in YAML before 4.0",
	Why:       "The YAML loader of that version refuses the file, and the application does not start after the upgrade.",
	Fix:       "retryInterval up to 3.52, retryDelay from 4.0 on",
	Example:   rule.Example{Args: []string{"check", "--library", "redisson@4.2", "--set", "retryInterval=1500"}},
}

func lp500(run *Running, l redisson) {
	delay := run.Text("retryDelay")
	switch {
	case run.Given("retryInterval") && !l.before(4, 0):
		run.say(LP500, "retryInterval", "Redisson 4 does not know retryInterval: the file is refused",
			"retryDelay: !<org.redisson.config.ConstantDelay> {delay: "+ISOText.Format(run.Dur("retryInterval"))+"}")
	case delay != "" && l.before(3, 48):
		run.say(LP500, "retryDelay", "Redisson before 3.48 does not know retryDelay: the file is refused", "retryInterval in ms")
	case strings.Contains(delay, "ConstantDelay") && l.before(4, 0):
		run.say(LP500, "retryDelay", "Redisson before 4.0 cannot make a ConstantDelay from YAML", "retryInterval in ms")
	}
}
