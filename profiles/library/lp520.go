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
	Why: "The lease goes to Redis in whole milliseconds, cut off. Below one bsm/redislock's Obtain is refused, and its Refresh deletes the key and reports success. " +
		"go-redis makes 1 ms of it, and a lease of 0 a SET without an expiry: a lock for ever.",
	Fix:     "a lease in whole milliseconds",
	Example: rule.Example{Args: []string{"check", "--library", "redislock", "--set", "ttl=500us"}},
}

// lp520 says what becomes of a lease that is not whole milliseconds. A library
// may know better than that nothing is left of one below a millisecond.
func lp520(run *Running, key string, ttl time.Duration) {
	switch {
	case ttl < time.Millisecond:
		message := "a lease of " + f(ttl) + " reaches Redis as 0 ms"
		if l, ok := run.Library.(interface{ tiny(time.Duration) string }); ok {
			message = l.tiny(ttl)
		}
		run.sayLimit(LP520, key, ttl, time.Millisecond, message, key+" of at least 1ms")
	case ttl%time.Millisecond != 0:
		run.sayLimit(LP520, key, ttl, ttl.Truncate(time.Millisecond),
			"a lease of "+f(ttl)+" reaches Redis as "+f(ttl.Truncate(time.Millisecond)), key+" "+f(wholeMillis(ttl))).Severity = finding.Warning
	}
}
