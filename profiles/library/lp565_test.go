package library

import "testing"

// research/libs-redis.md, section 10: retryCount x (retryDelay + retryJitter) +
// T < duration - threshold. By default 10 x 300 ms, and eleven commands.
func TestLP565(t *testing.T) {
	ruleEdges(t, "LP565", []ruleEdge{
		{"error", "node-redlock", []string{"duration=3720", "commandTimeout=20"}},
		{"", "node-redlock", []string{"duration=3721", "commandTimeout=20"}},
		{"error", "node-redlock", []string{"duration=3501", "commandTimeout=20"}},
		{"error", "node-redlock", []string{"duration=3220", "commandTimeout=20", "using=false"}},
		{"", "node-redlock", []string{"duration=3221", "commandTimeout=20", "using=false"}},
		{"error", "node-redlock", []string{"duration=2500", "using=false", "retryDelay=200", "retryJitter=0", "commandTimeout=1000"}},
		// Without a commandTimeout a command takes at least a round trip.
		{"error", "node-redlock", []string{"duration=3110", "using=false", "--rtt=10ms"}},
		{"", "node-redlock", []string{"duration=3111", "using=false", "--rtt=10ms"}},
		{"error", "node-redlock", []string{"duration=60000", "commandTimeout=20", "retryCount=-1", "using=false"}},
		{"", "node-redlock", []string{"duration=1000", "commandTimeout=20", "retryCount=0"}},
	})
	// The commands count for what is left of the lease, too: 13 s of 2.5.
	late := judged(t, "node-redlock", "duration=2500", "using=false", "retryDelay=200", "retryJitter=0", "commandTimeout=1000", "--p999=100ms", "--rtt=5ms")
	if severityOf(late, "LP115") != "error" {
		t.Errorf("13 s of an acquire for a lease of 2.5 s: %v", late.Findings)
	}
}
