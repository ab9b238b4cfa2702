package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP600 is etcd-ttl-raised.
var LP600 = rule.Rule{
	ID: "LP600", Name: "etcd-ttl-raised", Severity: finding.Error,
	Condition: "ttl < minLeaseTTL = ceil(1.5 x election-timeout), or 0, or > 9000000000",
	Why:       "The server grants more than was asked for and says so only in the response: a crash blocks for longer than planned. 0 keeps the session's 60 s.",
	Fix:       "a ttl of at least minLeaseTTL, in whole seconds",
	Example:   rule.Example{Args: []string{"check", "--library", "etcd", "--set", "ttl=1"}},
}

func lp600(run *Running, asked, granted, least time.Duration) {
	if most := 9_000_000_000 * time.Second; asked > most {
		run.sayLimit(LP600, "ttl", asked, most, "etcd refuses a ttl of "+f(asked), "ttl 9000000000 at most")
	}
	if asked == granted {
		return
	}
	message := "a ttl of " + f(asked) + " is raised to " + f(granted) + " (1.5 election timeouts)"
	if asked == 0 {
		message = "a ttl of 0 is ignored: the session keeps 60s"
	}
	run.sayLimit(LP600, "ttl", asked, least, message, "ttl "+Seconds.Format(least))
}
