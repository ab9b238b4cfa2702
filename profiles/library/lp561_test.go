package library

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

// research/libs-redis.md, section 8: 5 s from 8.0 on and none before; the facts
// of redis-py measure None and 0.
func TestLP561(t *testing.T) {
	ruleEdges(t, "LP561", []ruleEdge{
		{"", "redis-py@8.0", []string{"timeout=10"}},
		{"warning", "redis-py@7.9", []string{"timeout=10"}},
		{"warning", "redis-py@5.2", []string{"timeout=10"}},
		{"", "redis-py@7.9", []string{"timeout=10", "socket_timeout=0.2"}},
		{"error", "redis-py@8.1", []string{"timeout=10", "socket_timeout=None"}},
		{"error", "redis-py@8.1", []string{"timeout=10", "socket_timeout=0"}},
		{"", "redis-py@8.1", []string{"timeout=10", "socket_timeout=0.001"}},
	})
	// For ever is no renewal in time, and 0 is not for ever.
	for text, want := range map[string]string{"None": "never returns", "0": "does not wait"} {
		v := judged(t, "redis-py@8.1", "timeout=10", "reacquire_every=3", "socket_timeout="+text)
		said := slices.ContainsFunc(v.Findings, func(f finding.Finding) bool { return f.ID == "LP561" && strings.Contains(f.Message, want) })
		if !said || severityOf(v, "LP108") != "error" {
			t.Errorf("socket_timeout %s: %v", text, v.Findings)
		}
	}
}
