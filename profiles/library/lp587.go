package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP587 is curator-sleep-outlives-session.
var LP587 = rule.Rule{
	ID: "LP587", Name: "curator-sleep-outlives-session", Severity: finding.Error,
	Condition: "the longest sleep of the RetryPolicy >= granted session",
	Why: "A call that failed sleeps before it is tried again. When the sleep is as long as the session, the server has ended the session " +
		"and given the lock away before the second try: that one runs in another session, and an unlock or an acquire is late by all of it.",
	Fix:     "a RetryPolicy whose longest sleep is a part of the session: RetryNTimes, or an exponential one with a maximum",
	Example: rule.Example{Args: []string{"check", "--library", "curator", "--set", "sessionTimeoutMs=1000", "--set", "tickTime=2000", "--set", "retries=1", "--set", "retrySleepMs=10000"}},
}

func lp587(run *Running, r retrying, granted time.Duration) {
	sleep, key := r.longest(), "retrySleepMs"
	if sleep < granted || sleep == 0 {
		return
	}
	if run.Given("retryPolicy") {
		key = "retryPolicy"
	}
	run.sayLimit(LP587, key, sleep, granted,
		"a failed call sleeps up to "+f(sleep)+" before it is tried again; the session of "+f(granted)+" has ended by then",
		"sleeps of at most "+f(max(time.Millisecond, (granted/3).Truncate(time.Millisecond))))
}
