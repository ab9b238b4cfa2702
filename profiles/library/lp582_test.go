package library

import "testing"

// TestRealZooKeeperFollower: with 6 ticks of 500 ms a session of 3.2 s ended
// before its holder was told, one of 5 s did not: 1.5 x 6.5 x 500 ms = 4.875 s.
func TestLP582(t *testing.T) {
	at := func(session string) []string {
		return []string{"sessionTimeout=" + session, "tickTime=500", "syncLimit=6"}
	}
	ruleEdges(t, "LP582", []ruleEdge{
		{"warning", "zookeeper", at("3200")},
		{"warning", "zookeeper", at("4875")},
		{"", "zookeeper", at("4876")},
		{"", "zookeeper", []string{"sessionTimeout=3200", "tickTime=500"}}, // a server alone
		{"warning", "curator", []string{"sessionTimeoutMs=4875", "tickTime=500", "syncLimit=6"}},
		{"", "go-zookeeper", []string{"sessionTimeout=4876ms", "tickTime=500", "syncLimit=6"}},
	})
}
