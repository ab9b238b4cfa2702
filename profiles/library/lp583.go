package library

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP583 is curator-lost-too-late.
var LP583 = rule.Rule{
	ID: "LP583", Name: "curator-lost-too-late", Severity: finding.Error,
	Condition: "session error policy and simulatedSessionExpirationPercent > 33: error, > 25: warning; outside 1 to 100 Curator refuses it",
	Why: "LOST comes percent of the session after SUSPENDED, and SUSPENDED up to two thirds of it after the last packet. " +
		"At 100 percent the old owner works on for two thirds of a session beside the new one. At 33 percent nothing is left for a late SUSPENDED: measured at 4.09 s of 4 s.",
	Fix:     "simulatedSessionExpirationPercent 25, or the standard policy",
	Example: rule.Example{Args: []string{"check", "--library", "curator", "--set", "sessionTimeoutMs=30000", "--set", "connectionStateErrorPolicy=session"}},
}

func lp583(run *Running, c curator) {
	const key = "simulatedSessionExpirationPercent"
	switch {
	case c.percent < 1 || c.percent > 100:
		run.say(LP583, key, fmt.Sprintf("%s is %d: Curator takes 1 to 100", key, c.percent), key+" 25")
	case c.lost && c.percent > 33:
		run.say(LP583, key, fmt.Sprintf("the session policy stops the work at LOST, %d%% of the session after SUSPENDED: after the server gave the lock away", c.percent), key+" 25, or the standard policy")
	case c.lost && c.percent > 25:
		run.say(LP583, key, fmt.Sprintf("LOST at %d%% leaves nothing between the signal and the end of the session", c.percent), key+" 25").Severity = finding.Warning
	}
}
