package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP401 is rollout-unsafe. It is raised by the rollout command.
var LP401 = Rule{
	ID: "LP401", Name: "rollout-unsafe", Severity: finding.Error,
	Condition: "a mix of old and new values, while both run, violates a rule that neither violates alone, or one of the two violates one by itself",
	Why: "For minutes or days old and new processes share the lock. An old waiter that trusts the old TTL takes the lock " +
		"from a new holder that trusts the new one.",
	Fix: "a step in between, whose values agree with both sides",
	Example: Example{
		Args: []string{"rollout", "old.yaml", "new.yaml"},
		Files: map[string]string{
			"old.yaml": "apiVersion: lockplan/v1\nservices:\n  stock:\n    library: redisson\n    p999: 800ms\n    pause: 1.5s\n    deadline: 1s\n    work: 450ms\n    reply: 100ms\n",
			"new.yaml": "apiVersion: lockplan/v1\nservices:\n  stock:\n    library: zookeeper\n    p999: 800ms\n    pause: 1.5s\n    deadline: 1s\n    work: 450ms\n    reply: 100ms\n",
		},
	},
}

// RolloutUnsafe is LP401 for a service: conflict names the pair of states and
// what is wrong with it.
func RolloutUnsafe(p Place, service, conflict, fix string) finding.Finding {
	return LP401.at(p, service+": no order of steps is safe: "+conflict, fix)
}

// RolloutUnsafeEnd is LP401 for a service whose new state breaks rules by
// itself.
func RolloutUnsafeEnd(p Place, service, broken, fix string) finding.Finding {
	return LP401.at(p, service+": the new state is unsafe by itself: "+broken, fix)
}

// RolloutUnsafeStart is a warning of LP401 for a service whose old state breaks
// rules by itself: the rollout leads out of it. The text until says when.
func RolloutUnsafeStart(p Place, service, until, broken, fix string) finding.Finding {
	f := LP401.at(p, service+": the old state is unsafe by itself"+until+": "+broken, fix)
	f.Severity = finding.Warning
	return f
}
