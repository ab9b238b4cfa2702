package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP586 is go-zookeeper-session-overflows.
var LP586 = rule.Rule{
	ID: "LP586", Name: "go-zookeeper-session-overflows", Severity: finding.Error,
	Condition: "sessionTimeout < 1 ms, or >= 2^31 ms (24 d 20 h)",
	Why: "go-zookeeper sends the session as 32 bits of milliseconds and reckons its own timeouts from it. At 0 and below, where " +
		"2^31 ms end up too, every read times out before the server answers and no session comes; further above it asks for what is left.",
	Fix:     "a sessionTimeout in the server's range",
	Example: rule.Example{Args: []string{"check", "--library", "go-zookeeper", "--set", "sessionTimeout=600h", "--set", "tickTime=2000"}},
}

// mostZooKeeper is what 32 bits of milliseconds hold.
const mostZooKeeper = (1<<31 - 1) * time.Millisecond

// lp586 reports whether no session of what was asked for comes.
func lp586(run *Running, asked time.Duration) bool {
	switch {
	case asked < time.Millisecond:
		run.sayLimit(LP586, "sessionTimeout", asked, time.Millisecond, "a sessionTimeout of "+f(asked)+" is sent as 0 ms: no session comes", "sessionTimeout in the server's range")
	case asked >= mostZooKeeper+time.Millisecond:
		run.sayLimit(LP586, "sessionTimeout", asked, mostZooKeeper, "a sessionTimeout of "+f(asked)+" does not fit into 32 bits of milliseconds: no session comes, or another one", "sessionTimeout in the server's range")
	default:
		return false
	}
	return true
}
