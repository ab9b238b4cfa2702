package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP582 is zookeeper-partitioned-follower.
var LP582 = rule.Rule{
	ID: "LP582", Name: "zookeeper-partitioned-follower", Severity: finding.Warning,
	Condition: "session <= syncLimit x tickTime",
	Why: "A follower cut off from its leader answers pings by itself until syncLimit ticks have passed. Its client stays connected " +
		"while the leader ends the session and gives the lock away.",
	Fix:     "a session above syncLimit x tickTime",
	Example: rule.Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=8000", "--set", "tickTime=2000", "--set", "syncLimit=5"}},
}

func lp582(run *Running, key string, granted, sync time.Duration) {
	if granted > sync {
		return
	}
	run.sayLimit(LP582, key, granted, sync,
		"a session of "+f(granted)+" can end while a follower that lost its leader still answers for up to "+f(sync)+" (syncLimit x tickTime)",
		key+" above "+f(sync)+", or a smaller syncLimit")
}
