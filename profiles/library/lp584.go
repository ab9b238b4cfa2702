package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP584 is curator-connect-outlives-session.
var LP584 = rule.Rule{
	ID: "LP584", Name: "curator-connect-outlives-session", Severity: finding.Warning,
	Condition: "connectionTimeoutMs > granted session",
	Why:       "One try to connect takes longer than the session lasts: the lock is gone before the second server is tried. Curator only logs it.",
	Fix:       "connectionTimeoutMs of a third of the session",
	Example:   rule.Example{Args: []string{"check", "--library", "curator", "--set", "sessionTimeoutMs=10000", "--set", "connectionTimeoutMs=15000"}},
}

func lp584(run *Running, connect, granted time.Duration) {
	if connect <= granted {
		return
	}
	run.sayLimit(LP584, "connectionTimeoutMs", connect, granted,
		"one try to connect may take "+f(connect)+", the session lasts "+f(granted), "connectionTimeoutMs "+Millis.Down(granted/3))
}
