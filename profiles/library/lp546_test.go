package library

import "testing"

// research/libs-redis.md SH2: the option is new in 6.7.0, and an error where the
// longest hold can exceed the lock.
func TestLP546(t *testing.T) {
	ruleEdges(t, "LP546", []ruleEdge{
		{"", "shedlock", []string{"lockAtMostFor=30s", "safeUpdate=true", "--p999=31s"}},
		{"warning", "shedlock", []string{"lockAtMostFor=30s"}},
		{"warning", "shedlock", []string{"lockAtMostFor=30s", "--p999=29999ms"}},
		{"error", "shedlock", []string{"lockAtMostFor=30s", "--p999=30s"}},
		{"warning", "shedlock", []string{"lockAtMostFor=30s", "--p999=20s", "--max=29999ms"}},
		{"error", "shedlock", []string{"lockAtMostFor=30s", "--p999=20s", "--max=40s"}},
		{"warning", "shedlock", []string{"lockAtMostFor=30s", "--p999=20s", "--max-hold=29s"}},
		{"error", "shedlock", []string{"lockAtMostFor=30s", "--p999=20s", "--max-hold=31s"}},
		{"error", "shedlock", []string{"lockAtMostFor=30s", "--p99=31s"}}, // P99.9 is that at least
		{"", "shedlock@6.7", []string{"lockAtMostFor=30s", "safeUpdate=true"}},
		{"error", "shedlock@6.6", []string{"lockAtMostFor=30s", "safeUpdate=true"}},
		{"warning", "shedlock@6.6", []string{"lockAtMostFor=30s", "safeUpdate=false"}},
		{"error", "shedlock@6.6", []string{"lockAtMostFor=30s", "--p999=30s"}},
		{"", "shedlock", []string{"lockAtMostFor=30s", "lockProvider=other", "--p999=30s"}}, // the option is the Redis providers'
		{"", "shedlock@6.6", []string{"lockAtMostFor=30s", "lockProvider=other"}},
		{"warning", "shedlock", []string{"lockAtMostFor=30s", "lockProvider=redis"}},
	})
}
