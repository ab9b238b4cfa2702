package library

import "testing"

// research/libs-redis.md PY2: a wait below one sleep is a single try.
func TestLP562(t *testing.T) {
	ruleEdges(t, "LP562", []ruleEdge{
		{"warning", "redis-py", []string{"timeout=10", "blocking_timeout=0.099"}},
		{"", "redis-py", []string{"timeout=10", "blocking_timeout=0.1"}},
		{"warning", "redis-py", []string{"timeout=10", "blocking_timeout=0.299", "sleep=0.3"}},
		{"", "redis-py", []string{"timeout=10", "blocking_timeout=0.3", "sleep=0.3"}},
		{"", "redis-py", []string{"timeout=10"}},
	})
}
