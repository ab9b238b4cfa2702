package library

import "testing"

// research/libs-coordination.md ZK clamp: 2 to 20 ticks; TestRealZooKeeper runs
// the same edges.
func TestLP580(t *testing.T) {
	for _, lib := range []struct{ name, key, unit string }{{"zookeeper", "sessionTimeout", ""}, {"curator", "sessionTimeoutMs", ""}, {"go-zookeeper", "sessionTimeout", "ms"}} {
		at := func(session string, more ...string) []string {
			return append([]string{"tickTime=2000", lib.key + "=" + session + lib.unit}, more...)
		}
		ruleEdges(t, "LP580", []ruleEdge{
			{"warning", lib.name, at("3999")},
			{"", lib.name, at("4000")},
			{"", lib.name, at("40000")},
			{"warning", lib.name, at("40001")},
			{"", lib.name, at("40001", "maxSessionTimeout=60000")},
			{"", lib.name, at("1000", "minSessionTimeout=1000")},
			{"warning", lib.name, at("999", "minSessionTimeout=1000")},
		})
	}
	if got := *judged(t, "curator", "tickTime=2000").Consequences.TTL; got.Seconds() != 40 { // of 60 s asked for
		t.Errorf("Curator's default is granted as %s", got)
	}
}
