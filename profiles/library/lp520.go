package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP520 is lease-cut-to-nothing.
var LP520 = rule.Rule{
	ID: "LP520", Name: "lease-cut-to-nothing", Severity: finding.Error,
	Condition: "lease < 1 ms, or not whole milliseconds (warning)",
	Why:       "The lease goes to Redis in whole milliseconds, cut off: below one nothing is left, and bsm/redislock deletes the key at once.",
	Fix:       "a lease in whole milliseconds",
	Example:   rule.Example{Args: []string{"check", "--library", "redislock", "--set", "ttl=500us"}},
}

func lp520(run *Running, key string, ttl time.Duration) {
	switch {
	case ttl < time.Millisecond:
		run.sayLimit(LP520, key, ttl, time.Millisecond, "a lease of "+f(ttl)+" reaches Redis as 0 ms", key+" of at least 1ms")
	case ttl%time.Millisecond != 0:
		run.sayLimit(LP520, key, ttl, ttl.Truncate(time.Millisecond),
			"a lease of "+f(ttl)+" reaches Redis as "+f(ttl.Truncate(time.Millisecond)), key+" "+f(wholeMillis(ttl))).Severity = finding.Warning
	}
}
