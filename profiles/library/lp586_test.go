package library

import "testing"

// TestRealZooKeeper: no session came of 0, of 500 us and of 2^31 ms.
func TestLP586(t *testing.T) {
	ruleEdges(t, "LP586", []ruleEdge{
		{"error", "go-zookeeper", []string{"sessionTimeout=0s"}},
		{"error", "go-zookeeper", []string{"sessionTimeout=999us"}},
		{"", "go-zookeeper", []string{"sessionTimeout=1ms"}},
		{"", "go-zookeeper", []string{"sessionTimeout=2147483647ms"}},
		{"", "go-zookeeper", []string{"sessionTimeout=2147483647999us"}}, // fractions are cut
		{"error", "go-zookeeper", []string{"sessionTimeout=2147483648ms"}},
	})
}
