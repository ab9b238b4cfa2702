package library

import (
	"testing"
	"time"
)

// TestLeaderChange: research/libs-coordination.md, leader change of each: a new leader
// starts every lease anew, and the old one may be lost just before the end. By
// hand: election + (T + 1.5 ticks) twice, election + electionTimeout + (ttl +
// 0.5 s) twice, election + 2 x TTL twice + LockDelay + 5 s, and M of 700 ms
// where the lag holds no poll of the waiter.
func TestLeaderChange(t *testing.T) {
	for _, row := range []struct {
		library string
		args    []string
		want    time.Duration
	}{
		{"zookeeper", []string{"sessionTimeout=10000", "tickTime=1000"}, 12200 * time.Millisecond},
		{"zookeeper", []string{"sessionTimeout=10000", "tickTime=1000", "--failover=3s"}, 26700 * time.Millisecond},
		{"curator", []string{"sessionTimeoutMs=10000", "tickTime=1000", "--failover=3s"}, 26700 * time.Millisecond},
		{"go-zookeeper", []string{"sessionTimeout=10s", "tickTime=1000", "--failover=3s"}, 26700 * time.Millisecond},
		{"etcd", []string{"ttl=60"}, 61200 * time.Millisecond},
		{"etcd", []string{"ttl=60", "--failover=10s"}, 132700 * time.Millisecond},
		{"etcd", []string{"ttl=60", "election-timeout=5000", "heartbeat-interval=500", "--failover=10s"}, 136700 * time.Millisecond},
		{"consul", nil, 50 * time.Second},
		{"consul", []string{"--failover=5s"}, 85 * time.Second},
	} {
		v := judged(t, row.library, row.args...)
		failover := len(row.args) > 0 && row.args[len(row.args)-1][:2] == "--"
		if got := *v.Consequences.TakeoverWorst; got != row.want || (v.Run.TakeoverTerms() != "") != failover {
			t.Errorf("%s %v: taken over after %s (%s), want %s", row.library, row.args, got, v.Run.TakeoverTerms(), row.want)
		}
	}
}

// Measured, the lock free after the holder's last word: ZooKeeper with T 10 s
// and a tick of 1 s, the leader killed 9.01 s after the holder, elections of
// less than 3 s; etcd with 10 s, the leader moved after 5 s, in no time; Consul
// with 10 s, the leader killed after 15 s, a new one 16.8 s later.
func TestMeasuredLeaderChange(t *testing.T) {
	for _, row := range []struct {
		library string
		args    []string
		seen    time.Duration
	}{
		{"zookeeper", []string{"sessionTimeout=10000", "tickTime=1000", "--failover=3s"}, 21440 * time.Millisecond},
		{"etcd", []string{"ttl=10", "--failover=1ms"}, 15 * time.Second},
		{"consul", []string{"SessionTTL=10s", "LockDelay=1ms", "--failover=16.8s"}, 51800 * time.Millisecond},
	} {
		v := judged(t, row.library, append(row.args, "--rto="+row.seen.String())...)
		if free := *v.Consequences.FreeMax; free < row.seen || severityOf(v, "LP102") != "error" {
			t.Errorf("%s %v: free after at most %s, seen after %s, %v", row.library, row.args, free, row.seen, v.Findings)
		}
	}
}
