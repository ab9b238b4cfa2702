package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP624 is consul-session-not-renewed.
var LP624 = rule.Rule{
	ID: "LP624", Name: "consul-session-not-renewed", Severity: finding.Info,
	Condition: "a session of the HTTP API, and nothing says that it is renewed",
	Why:       "api.Lock renews the session that it makes. One of PUT /v1/session/create ends after its TTL unless the application calls PUT /v1/session/renew: it is planned as a fixed lease.",
	Fix:       "renew it every TTL/2, and say so: --set renewer=true",
	Example:   rule.Example{Args: []string{"check", "--library", "consul", "--set", "http=true", "--set", "SessionTTL=30s"}},
}

// lp624 reports whether something renews the session.
func lp624(run *Running) bool {
	if run.Bool("http") && !run.Given("renewer") {
		run.say(LP624, "renewer", "nothing says that this session is renewed: its TTL is a fixed lease", "renew it every TTL/2, and --set renewer=true")
		return false
	}
	return run.Bool("renewer")
}
