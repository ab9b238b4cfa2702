package library

import (
	"testing"
	"time"
)

// TestRealZooKeeper: how the server clamps a session, when it lets a frozen
// client's node go, and when that client hears of it.
func TestRealZooKeeper(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	addr := zooKeeperServer(t, 1000)
	lib, err := Get("go-zookeeper")
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{"500ms", "1999ms", "2s", "2001ms", "5s", "19999ms", "20s", "20001ms", "60s", "1s"}
	for _, row := range probe(t, nil, t.TempDir(), append([]string{program, "zk-clamp", addr}, asked...)...) {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"sessionTimeout": {Text: row["asked"].(string)}, "tickTime": {Text: "1000"}}})
		if err != nil {
			t.Fatal(err)
		}
		if granted := time.Duration(row["granted_ms"].(float64)) * time.Millisecond; *v.Consequences.TTL != granted {
			t.Errorf("asked for %v: the server grants %s, lockplan says %s", row["asked"], granted, *v.Consequences.TTL)
		}
	}
	proxy := newFreezer(t, addr)
	rows := probe(t, proxy, t.TempDir(), program, "zk-expiry", proxy.addr, addr, "4s")
	between(t, "ZooKeeper session of 4s, tick 1s: node gone after the last touch, ms", rows[0]["gone_ms"], 4000, 7500)
	between(t, "the same, go-zookeeper disconnected after, ms", rows[0]["disconnected_ms"], 1300, 5000)
}
