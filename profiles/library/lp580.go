package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP580 is zookeeper-clamped.
var LP580 = rule.Rule{
	ID: "LP580", Name: "zookeeper-clamped", Severity: finding.Warning,
	Condition: "session < minSessionTimeout (2 ticks) or > maxSessionTimeout (20 ticks)",
	Why:       "The server grants another session than the one asked for and says so nowhere but in the handshake: with a tick of 2 s Curator's 60 s is 40 s.",
	Fix:       "a session inside the range, or another minSessionTimeout or maxSessionTimeout on every server",
	Example:   rule.Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=60000", "--set", "tickTime=2000"}},
}

func lp580(run *Running, key string, asked, granted, least, most time.Duration) {
	if asked == granted {
		return
	}
	run.sayLimit(LP580, key, asked, granted,
		"the server grants a session of "+f(granted)+" instead of "+f(asked)+": its range is "+f(least)+" to "+f(most),
		key+" in that range, or another minSessionTimeout or maxSessionTimeout")
}
