package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP523 is rueidislock-renews-without-pause.
var LP523 = rule.Rule{
	ID: "LP523", Name: "rueidislock-renews-without-pause", Severity: finding.Error,
	Condition: "NoLoopTracking false and client-side caching on",
	Why:       "A renewal invalidates the locker's own tracked key, which makes it renew again at once: tens of thousands of scripts a second for one lock that is held.",
	Fix:       "NoLoopTracking: true (Redis 7.0.5), or ClientOption.DisableCache: true",
	Example:   rule.Example{Args: []string{"check", "--library", "rueidislock", "--set", "KeyValidity=5s"}},
}

func lp523(run *Running) {
	if !run.Bool("NoLoopTracking") && !run.Bool("DisableCache") {
		run.say(LP523, "NoLoopTracking", "NoLoopTracking is off: a held lock renews itself without pause", "NoLoopTracking: true, or DisableCache: true")
	}
}
