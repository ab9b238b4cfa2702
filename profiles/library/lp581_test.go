package library

import "testing"

// TestRealZooKeeperConfig: the server refuses these.
func TestLP581(t *testing.T) {
	ruleEdges(t, "LP581", []ruleEdge{
		{"error", "zookeeper", []string{"sessionTimeout=10000", "tickTime=0"}},
		{"", "zookeeper", []string{"sessionTimeout=10000", "tickTime=1"}},
		{"error", "zookeeper", []string{"sessionTimeout=10000", "minSessionTimeout=5000", "maxSessionTimeout=4999"}},
		{"", "zookeeper", []string{"sessionTimeout=5000", "minSessionTimeout=5000", "maxSessionTimeout=5000"}},
		{"error", "zookeeper", []string{"sessionTimeout=10000", "tickTime=2000", "minSessionTimeout=40001"}},
		{"", "zookeeper", []string{"sessionTimeout=40000", "tickTime=2000", "minSessionTimeout=40000"}},
		{"error", "zookeeper", []string{"sessionTimeout=10000", "tickTime=2000", "maxSessionTimeout=3999"}},
		{"warning", "zookeeper", []string{"sessionTimeout=10000", "syncLimit=0"}},
		{"", "zookeeper", []string{"sessionTimeout=10000", "syncLimit=1"}},
		{"warning", "curator", []string{"initLimit=0"}},
		{"error", "go-zookeeper", []string{"sessionTimeout=10s", "tickTime=0"}},
	})
}
