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
	for version, jars := range map[string]string{
		"3.8.0": debianZooKeeper,
		"3.9.3": classpath(t, redissons["4.2"]) + ":/usr/share/java/metrics-core.jar:/usr/share/java/snappy-java.jar", // Curator's
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			zooKeeperSessions(t, program, zooKeeperServer(t, jars, 1000))
		})
	}
}

// zooKeeperSessions are the sessions of one server with a tick of 1 s.
func zooKeeperSessions(t *testing.T, program, addr string) {
	t.Helper()
	lib, err := Get("go-zookeeper")
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{"500ms", "1999ms", "2s", "2001ms", "5s", "19999ms", "20s", "20001ms", "60s", "1s", "2500500us", "596h31m23.647s",
		"0s", "500us", "596h31m23.648s", "1193h2m52.296s"}
	for _, row := range probe(t, nil, t.TempDir(), append([]string{program, "zk-clamp", addr}, asked...)...) {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"sessionTimeout": {Text: row["asked"].(string)}, "tickTime": {Text: "1000"}}})
		if err != nil {
			t.Fatal(err)
		}
		ms, granted := row["granted_ms"].(float64)
		if has(v, "LP586") {
			if asked, err := time.ParseDuration(row["asked"].(string)); err != nil || granted && ms >= 20000 && asked > 0 {
				t.Errorf("asked for %v: the server grants %v ms, lockplan calls it an error", row["asked"], ms)
			}
		} else if !granted || *v.Consequences.TTL != time.Duration(ms)*time.Millisecond {
			t.Errorf("asked for %v: the server grants %v ms, lockplan says %s", row["asked"], row["granted_ms"], *v.Consequences.TTL)
		}
	}
	proxy := newFreezer(t, addr)
	rows := probe(t, proxy, t.TempDir(), program, "zk-expiry", proxy.addr, addr, "4s")
	between(t, "ZooKeeper session of 4s, tick 1s: node gone after the last touch, ms", rows[0]["gone_ms"], 4000, 7500)
	between(t, "the same, go-zookeeper disconnected after, ms", rows[0]["disconnected_ms"], 1300, 5000)
}
