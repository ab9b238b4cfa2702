package library

import (
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP540 is spring-integration-no-renewal.
var LP540 = rule.Rule{
	ID: "LP540", Name: "spring-integration-no-renewal", Severity: finding.Info,
	Condition: "nothing says whether a renewalTaskScheduler is set; a scheduler before 6.4: error",
	Why:       "Nothing renews unless a scheduler is set, and before 6.4 there is no such setting: expireAfter is a fixed lease.",
	Fix:       "setRenewalTaskScheduler, from 6.4 on",
	Example:   rule.Example{Args: []string{"check", "--library", "spring-integration@6.3", "--set", "expireAfter=60000", "--set", "renewalTaskScheduler=true"}},
}

// lp540 reports whether the lease is fixed.
func lp540(run *Running, s springIntegration) bool {
	asked := run.Bool("renewalTaskScheduler")
	if asked && s.before(6, 4) {
		run.say(LP540, "renewalTaskScheduler", "Spring Integration before 6.4 cannot renew", "6.4 or later").Severity = finding.Error
		return true
	}
	if !run.Given("renewalTaskScheduler") {
		run.say(LP540, "renewalTaskScheduler", "no renewalTaskScheduler: expireAfter is a fixed lease", "setRenewalTaskScheduler when the hold can outlive it")
	}
	return !asked
}
