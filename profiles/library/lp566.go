package library

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP566 is redis-py-extend-adds.
var LP566 = rule.Rule{
	ID: "LP566", Name: "redis-py-extend-adds", Severity: finding.Error,
	Condition: "extend_replaces_ttl false, where extend() is given more than reacquire_every, or nothing says how far apart its calls are",
	Why: "extend(timeout) adds to what is left of the key. Each renewal leaves it longer by timeout - reacquire_every, " +
		"and whoever waits for a holder that died waits for all that was added: 59 s after five extends of 10 s in a second (sibson/redbeat#127).",
	Fix:     "extend(timeout, replace_ttl=True), or reacquire()",
	Example: rule.Example{Args: []string{"check", "--library", "redis-py", "--set", "timeout=10", "--set", "reacquire_every=3", "--set", "extend_replaces_ttl=false"}},
}

// lp566 says how far the key grows by more with each extend(). Where nothing
// bounds that, no figure of a takeover means anything.
func lp566(run *Running, more, grown time.Duration) {
	if grown == 0 {
		return
	}
	adds := "each extend() adds " + f(more) + " to the key"
	fix := "extend(timeout, replace_ttl=True), or reacquire()"
	if grown == dur.Max {
		why := "while there is no maximum hold"
		if run.NoRenewer == noPace {
			why = "while " + noPace
		}
		run.Skip = append(run.Skip, "LP102", "LP304", "LP312")
		run.say(LP566, "extend_replaces_ttl", adds+": a takeover takes longer and longer, without a bound "+why, fix)
		return
	}
	run.sayLimit(LP566, "extend_replaces_ttl", saturate(run.Lease.TTL, grown), run.Lease.TTL,
		adds+": after a hold of "+f(run.MaxHold.Value)+" it stays for up to "+f(saturate(run.Lease.TTL, grown)), fix)
}
