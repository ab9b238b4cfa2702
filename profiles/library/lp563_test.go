package library

import "testing"

// research/libs-redis.md NR1: using() throws above duration - 100 ms.
func TestLP563(t *testing.T) {
	ruleEdges(t, "LP563", []ruleEdge{
		{"error", "node-redlock", []string{"duration=1000", "automaticExtensionThreshold=901"}},
		{"", "node-redlock", []string{"duration=1000", "automaticExtensionThreshold=900"}},
		{"error", "node-redlock", []string{"duration=599"}},
		{"", "node-redlock", []string{"duration=600"}},
		{"", "node-redlock", []string{"duration=1000", "automaticExtensionThreshold=901", "using=false"}},
	})
}
