package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP407 is suppression-expired. It is raised by check -f.
var LP407 = Rule{
	ID: "LP407", Name: "suppression-expired", Severity: finding.Warning,
	Condition: "today > until of an ignore entry",
	Why:       "A finding was set aside until a day that has passed. It counts again, and whoever set it aside should know why.",
	Fix:       "fix the finding, or agree on a new date",
	Example: Example{
		Args: []string{"check", "-f", "lockplan.yaml"},
		Files: map[string]string{"lockplan.yaml": "apiVersion: lockplan/v1\nservices:\n  stock:\n    p999: 800ms\n    pause: 1.5s\n" +
			"    ignore: [{rule: LP114, reason: \"token column comes with release 12\", until: 2020-01-01}]\n"},
	},
}

// SuppressionExpired is LP407 for an ignore entry: the rule it sets aside, its
// last day and its reason as written.
func SuppressionExpired(p Place, rule, until, reason string) finding.Finding {
	return LP407.at(p, rule+" was set aside until "+until+" ("+reason+") and counts again", "fix "+rule+", or agree on a new date")
}
