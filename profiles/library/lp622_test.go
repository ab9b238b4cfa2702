package library

import (
	"testing"
	"time"
)

// V18: a health check ends the session at any time, and LockDelay later the
// lock is free; without one it takes 2 x TTL + LockDelay (research 0.1).
func TestLP622(t *testing.T) {
	ruleEdges(t, "LP622", []ruleEdge{
		{"warning", "consul", nil},
		{"warning", "consul", []string{"healthChecks=true"}},
		{"", "consul", []string{"healthChecks=false"}},
	})
	for args, want := range map[string][3]time.Duration{
		"healthChecks=true": {15 * time.Second, 50 * time.Second, 50 * time.Second}, "healthChecks=false": {45 * time.Second, 50 * time.Second, 50 * time.Second},
	} {
		c := judged(t, "consul", args).Consequences
		if got := [3]time.Duration{*c.FreeMin, *c.FreeMax, *c.TakeoverWorst}; got != want {
			t.Errorf("%s: free between %s and %s, taken over after %s; want %s", args, got[0], got[1], got[2], want)
		}
	}
}
