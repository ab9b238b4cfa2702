package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP582 is zookeeper-partitioned-follower.
var LP582 = rule.Rule{
	ID: "LP582", Name: "zookeeper-partitioned-follower", Severity: finding.Warning,
	Condition: "session <= 1.5 x (syncLimit + 1/2) x tickTime",
	Why: "A follower cut off from its leader answers reads and pings by itself until syncLimit ticks have passed. Its client stays connected " +
		"and sees its own lock node, while the leader ends the session and gives the lock away. " +
		"The leader counts from the last ping that it heard of: when the follower is cut off, that one is up to a third of the session and half a tick old.",
	Fix:     "a session above 1.5 x (syncLimit + 1/2) x tickTime",
	Example: rule.Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=8000", "--set", "tickTime=2000", "--set", "syncLimit=5"}},
}

func lp582(run *Running, key string, granted time.Duration, z zooKeeper) {
	// 2T/3 - tick/2 is left of the session at the cut.
	limit := saturate(z.orphan, z.tick/2)
	if limit = saturate(limit, limit/2); granted > limit {
		return
	}
	run.sayLimit(LP582, key, granted, limit,
		"a follower that lost its leader still answers for "+f(z.orphan)+" (syncLimit x tickTime); a session of "+f(granted)+" can end before that: its least is above "+f(limit),
		key+" above "+f(limit)+", or a smaller syncLimit")
}
