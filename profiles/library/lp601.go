package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP601 is etcd-election.
var LP601 = rule.Rule{
	ID: "LP601", Name: "etcd-election", Severity: finding.Error,
	Condition: "election-timeout < 5 x heartbeat-interval, or > 50 s, or either is 0; a stated rtt: heartbeat < rtt/2 warning, election < 10 x rtt error",
	Why:       "The server does not start, or it starts and elects a leader again and again because heartbeats come later than it waits.",
	Fix:       "heartbeat about one round trip, election-timeout ten of them and 5 to 10 heartbeats",
	Example:   rule.Example{Args: []string{"check", "--library", "etcd", "--set", "heartbeat-interval=300"}},
}

// lp601 reports whether the server refuses to start.
func lp601(run *Running, heartbeat, election time.Duration) bool {
	switch {
	case heartbeat <= 0 || election <= 0:
		run.say(LP601, "heartbeat-interval", "a heartbeat or an election timeout of 0: etcd does not start", "heartbeat-interval 100, election-timeout 1000")
		return true
	case election < 5*heartbeat:
		run.sayLimit(LP601, "election-timeout", election, 5*heartbeat,
			"election-timeout "+f(election)+" is below 5 x heartbeat-interval = "+f(5*heartbeat)+": etcd does not start", "election-timeout "+Millis.Format(10*heartbeat))
		return true
	case election > 50*time.Second:
		run.sayLimit(LP601, "election-timeout", election, 50*time.Second, "election-timeout "+f(election)+" is above 50s: etcd does not start", "election-timeout 50000")
		return true
	}
	if rtt := run.In.RTT; rtt.Finite() && election < 10*rtt.Value {
		run.sayLimit(LP601, "election-timeout", election, 10*rtt.Value, "election-timeout "+f(election)+" is below 10 round trips of "+f(rtt.Value), "election-timeout "+Millis.Up(10*rtt.Value))
	} else if rtt.Finite() && heartbeat < rtt.Value/2 {
		run.sayLimit(LP601, "heartbeat-interval", heartbeat, rtt.Value, "heartbeat-interval "+f(heartbeat)+" is below half a round trip of "+f(rtt.Value), "heartbeat-interval "+Millis.Up(rtt.Value)).Severity = finding.Warning
	}
	return false
}
