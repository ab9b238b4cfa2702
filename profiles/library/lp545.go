package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// keepAliveLeast is KeepAliveLockProvider's minimum.
const keepAliveLeast = 30 * time.Second

// LP545 is shedlock-refuses.
var LP545 = rule.Rule{
	ID: "LP545", Name: "shedlock-refuses", Severity: finding.Error,
	Condition: "lockAtLeastFor > lockAtMostFor, or KeepAlive and lockAtMostFor < 30 s",
	Why:       "ShedLock throws IllegalArgumentException: the job never runs.",
	Fix:       "lockAtMostFor of at least lockAtLeastFor, and of 30 s under KeepAlive",
	Example:   rule.Example{Args: []string{"check", "--library", "shedlock", "--set", "lockAtMostFor=20s", "--set", "keepAlive=true"}},
}

func lp545(run *Running, most, least time.Duration, keep bool) {
	if least > most {
		run.sayLimit(LP545, "lockAtLeastFor", least, most, "lockAtLeastFor "+f(least)+" is above lockAtMostFor "+f(most)+": ShedLock throws", "lockAtLeastFor of at most "+f(most))
	}
	if keep && most < keepAliveLeast {
		run.sayLimit(LP545, "lockAtMostFor", most, keepAliveLeast, "KeepAliveLockProvider refuses lockAtMostFor "+f(most)+": its least is "+f(keepAliveLeast), "lockAtMostFor "+f(keepAliveLeast))
	}
}
