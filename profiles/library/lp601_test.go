package library

import "testing"

// research/libs-coordination.md ETCD-ELECT, measured with etcd 3.6: 500/100 is
// taken, 499/100 and 50001/1000 are refused. R18: heartbeat 0.5 to 1.5 round
// trips, election at least ten.
func TestLP601(t *testing.T) {
	ruleEdges(t, "LP601", []ruleEdge{
		{"", "etcd", []string{"election-timeout=500"}},
		{"error", "etcd", []string{"election-timeout=499"}},
		{"", "etcd", []string{"election-timeout=50000", "heartbeat-interval=1000"}},
		{"error", "etcd", []string{"election-timeout=50001", "heartbeat-interval=1000"}},
		{"error", "etcd", []string{"heartbeat-interval=0"}},
		{"error", "etcd", []string{"election-timeout=0"}},
		{"", "etcd", []string{"--rtt=100ms"}},
		{"error", "etcd", []string{"--rtt=101ms"}},
		{"", "etcd", []string{"election-timeout=5000", "--rtt=200ms"}},
		{"warning", "etcd", []string{"election-timeout=5000", "--rtt=202ms"}},
	})
}
