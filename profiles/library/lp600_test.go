package library

import "testing"

// research/libs-coordination.md 4.1: ceil((3 x ticks / 2) x heartbeat) by
// integer divisions, 0 keeps 60 s, above 9 000 000 000 is refused.
func TestLP600(t *testing.T) {
	ruleEdges(t, "LP600", []ruleEdge{
		{"error", "etcd", []string{"ttl=0"}},
		{"error", "etcd", []string{"ttl=1"}},
		{"", "etcd", []string{"ttl=2"}},
		{"error", "etcd", []string{"ttl=7", "election-timeout=5000", "heartbeat-interval=500"}},
		{"", "etcd", []string{"ttl=8", "election-timeout=5000", "heartbeat-interval=500"}},
		{"error", "etcd", []string{"ttl=3", "election-timeout=2500", "heartbeat-interval=250"}},
		{"", "etcd", []string{"ttl=4", "election-timeout=2500", "heartbeat-interval=250"}},
		{"error", "etcd", []string{"ttl=74", "election-timeout=50000", "heartbeat-interval=1000"}},
		{"", "etcd", []string{"ttl=75", "election-timeout=50000", "heartbeat-interval=1000"}},
		{"", "etcd", []string{"ttl=9000000000"}},
		{"error", "etcd", []string{"ttl=9000000001"}},
	})
}
