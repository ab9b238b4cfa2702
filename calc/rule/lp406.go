package rule

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP406 is worse-than-baseline. It is raised by check --baseline.
var LP406 = Rule{
	ID: "LP406", Name: "worse-than-baseline", Severity: finding.Warning,
	Condition: "a figure of the plan is on the worse side of the same figure in the baseline",
	Why: "No rule is broken yet, and the room that was there is being used up. Somebody agreed to the baseline; nobody " +
		"agreed to this.",
	Fix: "find out what changed, or write a new baseline once it is agreed",
	Example: Example{
		Args: []string{"check", "--ttl", "5s", "--p999", "1s", "--pause", "1s", "--baseline", "plan.json"},
		Files: map[string]string{"plan.json": "{\"schema\":\"lockplan/plan/v1\",\"service\":\"\",\"mode\":\"fixed\",\"feasible\":true," +
			"\"ttl_min_seconds\":2.2,\"ttl_seconds\":2.2,\"pause_survived_seconds\":2,\"takeover_worst_seconds\":2.9}\n"},
	},
}

// Worse is LP406 for what ("the worst takeover") that was once before and is
// now on the worse side of it.
func Worse(p Place, what string, before, now time.Duration) finding.Finding {
	f := LP406.at(p, what+" is "+dur.Format(now)+", in the baseline "+dur.Format(before), "find out what changed, or write a new baseline")
	f.Value, f.Limit = finding.Of(now), finding.Of(before)
	return f
}

// Gone is LP406 for what was known before and is not there, or not known, now:
// renewals that disappeared survive no outage.
func Gone(p Place, what, before string) finding.Finding {
	return LP406.at(p, what+" is none or not known, in the baseline "+before, "find out what changed, or write a new baseline")
}

// WorseCount is LP406 for a count.
func WorseCount(p Place, what string, before, now int) finding.Finding {
	return LP406.at(p, what+" is "+strconv.Itoa(now)+", in the baseline "+strconv.Itoa(before), "find out what changed, or write a new baseline")
}
